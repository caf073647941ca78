import type { FarmRecords, HeadLine, TreatmentAct } from '../../farm-records/reader.js';
import { Decimal, split } from '../decimals.js';
import { explainSubjects, type RowMaking } from '../evidence.js';
import {
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
} from '../generator.js';
import { inOrderOfKeys, joinedKey } from '../keys.js';
import { warnOfMerges } from '../merged-withholding.js';
import { cellsOf, declared } from '../row-columns.js';
import { COLUMNS, doseUnitOf, productOf, type TreatedStock } from './columns.js';
import { inUnit } from './dose-units.js';
import { dayOf, intervalOf } from './withholding.js';

@ReportGenerator({
  type: 'livestock-treatment.v1',
  title: 'Livestock treatments',
  description:
    'What was given to which stock, when, from which batch, and from which day on they are clear for slaughter and for export.',
  version: '1.0',
  columns: declared(COLUMNS),
  rules: [
    'A row per treatment and mob, paddock, class and enterprise, or per animal that has a record of its own.',
    "Clear dates are the local day of the last administration of the course to the mob or animal plus the days of withholding: those said with the treatment, else the medicine's, else the end that the record gives. Hours are rounded up to whole days.",
    'A dose that states no withholding has the longest that the doses before it in its course stated. Sales go by the latest day that any dose of a course is clear on.',
    'A withholding period or export slaughter interval that nobody stated is blank, with a warning, and not 0.',
    'A quantity for all is split by head; else the total used is the dose times the head. Both stand in the unit of the dose.',
    'A batch used after its expiry gives a warning, and so does a mob in which stock of unequal withholding came together.',
  ],
})
export class LivestockTreatment implements Generator {
  async *rows({ records, period, warn }: GenerationInput): AsyncIterable<readonly Row[]> {
    let withheldByNumber = false;
    for await (const acts of records.treatments(period)) {
      const rows: Row[] = [];
      for (const act of acts) {
        const stock = treatedStock(act, records);
        withheldByNumber ||= act.lines.some(isWithheldByNumber);
        for (const treated of stock) rows.push({ rowType: 'detail', cells: cellsOf(COLUMNS, treated) });
        if (stock[0]) watch(stock[0], warn);
      }
      yield rows;
    }
    if (withheldByNumber) await warnOfMerges(records, period, warn);
  }

  async explain(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    return explainSubjects(input, row, MAKING);
  }
}

const MAKING: RowMaking<TreatedStock> = {
  columns: COLUMNS,
  subjects: async function* ({ records, period }) {
    for await (const acts of records.treatments(period))
      yield acts.flatMap((act) => treatedStock(act, records));
  },
  evidenceOf: ({ act, head, totalUsed, cost }) => [
    { record: act.record, brings: { head_treated: head, total_used: totalUsed ?? 0, cost: cost ?? 0 } },
  ],
  totalledBy: [],
};

function isWithheldByNumber({ animal, whpClear, esiClear }: HeadLine): boolean {
  return animal === '' && (whpClear !== undefined || esiClear !== undefined);
}

function treatedStock(act: TreatmentAct, records: FarmRecords): TreatedStock[] {
  const parts = partsOf(act.lines);
  const heads = parts.map((lines) => lines.reduce((head, line) => head + line.head, 0));
  const used = usedBy(act, heads);
  const common = {
    records,
    act,
    batchExpiry: expiryOf(act, records),
  };
  return parts.map((lines, index) => {
    const [head = 0, totalUsed] = [heads[index], used[index]];
    const line = lines[0] as HeadLine;
    const [whp, esi] = [intervalOf('whp', act, line, records), intervalOf('esi', act, line, records)];
    return { ...common, line, whp, esi, head, totalUsed, cost: costOf(act, totalUsed, head) };
  });
}

function partsOf(lines: readonly HeadLine[]): (readonly HeadLine[])[] {
  // Most treatments are of one animal: there is nothing to tell apart.
  if (lines.length === 1) return [lines];
  return inOrderOfKeys(Map.groupBy(lines, groupKey)).map(([, part]) => part);
}

/** Animals stand apart; head of a mob together, as far as their class and paddock are the same. */
function groupKey({ animal, managed, mob, species, ageClass, enterprise, paddock }: HeadLine): string {
  return joinedKey(mob, animal, species, ageClass, enterprise, paddock, managed);
}

function usedBy(act: TreatmentAct, heads: readonly number[]): (Decimal | undefined)[] {
  const total = totalUsedIn(doseUnitOf(act), act);
  if (total) return split(total, heads, 6);
  const dose = act.what.dosePerHead && new Decimal(act.what.dosePerHead.quantity);
  return heads.map((head) => dose?.times(head));
}

/** Undefined where no total was recorded, or one in a unit that says nothing of the dose's. */
function totalUsedIn(unit: string | null, { what: { totalUsed } }: TreatmentAct): Decimal | undefined {
  if (!totalUsed) return undefined;
  const quantity = new Decimal(totalUsed.quantity);
  return totalUsed.unit === '' || unit === null ? quantity : inUnit(quantity, totalUsed.unit, unit);
}

function costOf({ what }: TreatmentAct, totalUsed: Decimal | undefined, head: number): Decimal | undefined {
  return what.unitCost && new Decimal(what.unitCost.amount).times(totalUsed ?? head);
}

function expiryOf({ what }: TreatmentAct, { calendar }: FarmRecords): string | null {
  const days = what.batches.flatMap(({ expiry }) => (expiry ? [dayOf(expiry, calendar)] : []));
  return days.toSorted()[0] ?? null;
}

function watch({ act, records, whp, esi }: TreatedStock, warn: GenerationInput['warn']): void {
  const product = productOf(act);
  if (product === null) return;
  if (whp.clearDate === null) warn(`${product}: no withholding period is known; its whp columns are blank.`);
  if (esi.clearDate === null)
    warn(`${product}: no export slaughter interval is known; its esi columns are blank.`);
  const { totalUsed } = act.what;
  const unit = doseUnitOf(act);
  if (totalUsed && !totalUsedIn(unit, act))
    warn(
      `${product}: a total in ${totalUsed.unit} says nothing of a dose in ${unit}; total_used is the dose times the head.`,
    );
  for (const { id, expiry } of act.what.batches) {
    const last = expiry && dayOf(expiry, records.calendar);
    if (last !== undefined && last < act.record.day)
      warn(`${product}: batch ${id ?? 'without a number'} expired on ${last} and was used after that.`);
  }
}
