import type { Category, Entry, FarmRecords, HeadLine, LocalDate, Period } from '../../farm-records/reader.js';
import { naturalIncreaseValue } from '../../farm-records/reader.js';
import { Decimal, sum, ZERO } from '../decimals.js';
import { type Brings, byDay, EvidenceSum, plain } from '../evidence.js';
import type { Evidence, GenerationInput, RowExplanation, RowInQuestion } from '../generator.js';
import { type TransitionPart, transitionParts } from '../transition-parts.js';
import { type ClassKey, GRAIN } from './book.js';
import { HeadAccount } from './head-account.js';
import { valuesBefore } from './opening-values.js';

/** What a row is about: a class of an enterprise, or all of an enterprise, a species, the farm. */
type Scope = Partial<ClassKey>;

/** What changes head by class, and what was counted. */
const CATEGORIES: readonly Category[] = [
  'opening',
  'birth',
  'purchase',
  'transfer_in',
  'reclassification',
  'adjust_in',
  'adjust_out',
  'transfer_out',
  'sale',
  'ration',
  'death',
  'missing',
  'count',
];

/** Flows by the records of the period; the opening is brought forward, and by the records before it when it is asked for. */
export async function explainRow(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
  const { records, period } = input;
  const scope = scopeOf(row);
  const account = new AccountOf(records, scope, row, period.start);
  if (row.column === 'opening') {
    const first = (await records.firstDay()) ?? period.start;
    return { broughtForward: {}, evidence: account.evidence({ start: first, end: period.start }, row.since) };
  }
  return {
    broughtForward: await broughtForward(records, period, scope, row),
    evidence: account.evidence(period, row.since),
  };
}

/** Details name their class, also one that a count leaves open; subtotals and the total leave out what they sum. */
function scopeOf({ rowType, cells }: RowInQuestion): Scope {
  const said = (column: string) => (rowType === 'detail' ? (cells[column] ?? '') : cells[column]) as string;
  const all = { species: said('species'), enterprise: said('enterprise_id'), ageClass: said('age_class') };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value === 'string'));
}

function isIn(scope: Scope, key: ClassKey): boolean {
  return GRAIN.every((what) => scope[what] === undefined || scope[what] === key[what]);
}

/** Values stand on the rows of a species and of the farm. */
function isValued({ rowType, cells }: RowInQuestion): boolean {
  return rowType === 'total' || (rowType === 'subtotal' && (cells.enterprise_id ?? null) === null);
}

async function broughtForward(
  records: FarmRecords,
  { start }: Period,
  scope: Scope,
  row: RowInQuestion,
): Promise<Record<string, number | string>> {
  const held = (await records.balances(start, GRAIN)).filter((balance) => isIn(scope, balance));
  const head = held.reduce((total, balance) => total + balance.head, 0);
  if (!isValued(row)) return { opening: head, closing: head };
  const values = [...(await valuesBefore(records, start))]
    .filter(([species]) => scope.species === undefined || scope.species === species)
    .map(([, { value }]) => value);
  const known = values.flatMap((value) => value ?? []);
  return plain({
    opening: head,
    closing: head,
    ...(known.length === values.length && { opening_value: sum(known) }),
  });
}

/** What records bring to an account. */
class AccountOf {
  constructor(
    private readonly records: FarmRecords,
    private readonly scope: Scope,
    private readonly row: RowInQuestion,
    /** Head that were there before this day, or open on it, are the opening. */
    private readonly opensOn: LocalDate,
  ) {}

  async *evidence({ start, end }: Period, since: LocalDate): AsyncIterable<readonly Evidence[]> {
    const { species } = this.scope;
    const from = since > start ? since : start;
    const entries = this.records.entries(
      { start: from, end },
      species === undefined || species === '' ? {} : { species },
      CATEGORIES,
    );
    for await (const day of byDay(entries)) yield this.ofDay(day, day[0].record.day);
  }

  private ofDay(day: readonly Entry[], date: LocalDate): Evidence[] {
    const told = new EvidenceSum();
    for (const { record, lines } of day) {
      const own = lines.filter((line) => isIn(this.scope, line) && !isTransition(line));
      if (own.length > 0)
        this.tell(told, record, this.flowsOf(own, date), own, date, lines.some(isAdjustment));
    }
    const changes = day.map(({ record, lines }) => ({ record, lines: lines.filter(isTransition) }));
    for (const part of transitionParts(changes)) {
      const account = this.changeOf(part);
      if (account) this.tell(told, part.record, account, [], date);
    }
    return told.toEvidence();
  }

  private tell(
    told: EvidenceSum,
    record: Entry['record'],
    account: HeadAccount,
    lines: readonly HeadLine[],
    date: LocalDate,
    isBooked = false,
  ): void {
    const brings = this.bringsOf(account, lines, date, isBooked);
    if (date < this.opensOn) told.add(record, { opening: account.closing });
    else if (this.row.column !== 'opening' || account.opening !== 0) told.add(record, brings);
  }

  private flowsOf(lines: readonly HeadLine[], date: LocalDate): HeadAccount {
    const account = new HeadAccount();
    for (const { category, delta } of lines) {
      if (category === 'opening' && date === this.opensOn) account.opening += delta;
      else account.enter(category, delta);
    }
    return account;
  }

  private changeOf(part: TransitionPart): HeadAccount | undefined {
    const { species, fromEnterprise, toEnterprise, fromAgeClass, toAgeClass } = part;
    const from = isIn(this.scope, { species, enterprise: fromEnterprise, ageClass: fromAgeClass });
    const to = isIn(this.scope, { species, enterprise: toEnterprise, ageClass: toAgeClass });
    if (!from && !to) return undefined;
    const account = new HeadAccount();
    const head = part.headMob + part.headIndividual;
    const kind = fromEnterprise === toEnterprise ? 'class' : 'enterprise';
    if (from) account.items[`${kind}_out`] += head;
    if (to) account.items[`${kind}_in`] += head;
    return account;
  }

  private bringsOf(
    account: HeadAccount,
    lines: readonly HeadLine[],
    date: LocalDate,
    isBooked: boolean,
  ): Brings {
    const counts = lines.filter(({ category }) => category === 'count');
    const counted = counts.reduce((head, line) => head + line.head, 0);
    const difference = counts.reduce((head, line) => head + line.head - (line.book ?? 0), 0);
    return {
      opening: account.opening,
      ...account.items,
      closing: account.closing,
      // Of several counts the last stands; those before are listed with it.
      counted,
      unreconciled: isBooked ? 0 : difference,
      ...(isValued(this.row) && this.valuesOf(account, lines, date)),
    };
  }

  private valuesOf(account: HeadAccount, lines: readonly HeadLine[], date: LocalDate): Brings {
    const worth = (category: Category) =>
      sum(lines.filter((line) => line.category === category).map((line) => new Decimal(line.value ?? 0)));
    const { births } = account.items;
    const increase = lines[0] && naturalIncreaseValue(this.records.farm, lines[0].species);
    return {
      opening_value: date === this.opensOn ? worth('opening') : ZERO,
      births_value: new Decimal(increase ?? 0).times(births),
      purchase_value: worth('purchase'),
      sales_value: worth('sale'),
    };
  }
}

function isAdjustment({ category }: HeadLine): boolean {
  return category === 'adjust_in' || category === 'adjust_out';
}

function isTransition({ category }: HeadLine): boolean {
  return category === 'reclassification';
}
