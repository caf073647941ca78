import type { FarmRecords, Period } from '../../farm-records/reader.js';
import { sum } from '../decimals.js';
import {
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
  SelfCheckFailed,
} from '../generator.js';
import { joinedKey } from '../keys.js';
import { cellsOf, declared } from '../row-columns.js';
import { explainRow } from './explain.js';
import { type GrazedLand, NOTHING } from './grazed-land.js';
import { Grazing } from './grazing.js';
import { type Areas, areasOf, COLUMNS, farmAreas, isCropping, isGrazed, paddockLabel } from './load-rows.js';
import { describeTable, PUBLISHED_TABLES } from './published-ratings.js';
import { Ratings } from './ratings.js';
import { Paddocks, type Segment, segmentsOf } from './segments.js';

@ReportGenerator({
  type: 'animal-load-by-paddock.v1',
  title: 'Animal load by paddock',
  description:
    'What each paddock carried, month by month: head and animal units over time, by the instant of every move, in all and per grazable area.',
  version: '1.0',
  columns: declared(COLUMNS),
  rules: [
    'A row per paddock and calendar month, a subtotal per paddock, a total of the farm. Stock in no paddock stand under Unallocated; with it the paddocks are the farm.',
    'Time counts by the instant: a mob moved at local noon leaves half a day with each paddock. A move of which only the day is known takes effect at the start of that day. A day is one day, whether it has 23, 24 or 25 hours.',
    "The rating and the area that held on the day count, never today's. A mob's own rating beats its class's, and that its species'.",
    'Everything per area stands on the grazable area, and is blank where that is zero or not known.',
    'A paddock that no record declares, and in which stock stood in the period, is taken for one that was always there.',
    "Cropping paddocks appear in months with stock; their area is left out of the farm's.",
    'A farm that counts in dse or au must give its ratings; lsu and ae have a built-in table for stock without a rating of their own. Head days of stock without any rating are shown apart. Units are never converted.',
  ],
  sources: PUBLISHED_TABLES.map(describeTable),
})
export class AnimalLoadByPaddock implements Generator {
  async *rows({ records, period, warn }: GenerationInput): AsyncIterable<readonly Row[]> {
    const paddocks = new Paddocks(await records.paddocks(), records);
    const ratings = new Ratings(await records.ratings(), records);
    const segments = segmentsOf(records, period, [...paddocks.days, ...ratings.days]);
    const grazing = await follow(records, period, segments, ratings);
    await check(records, period, grazing);
    warnOf(records, grazing, ratings, warn);
    const load = new LoadReport(records, segments, paddocks, grazing);
    let rows = 0;
    for (const paddock of load.paddockOrder()) {
      const ofPaddock = load.paddockRows(paddock);
      rows += ofPaddock.length;
      yield ofPaddock;
    }
    if (rows > 0) yield [load.farmRow()];
  }

  explain(input: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    return explainRow(input, row);
  }
}

async function follow(
  records: FarmRecords,
  period: Period,
  segments: readonly Segment[],
  ratings: Ratings,
): Promise<Grazing> {
  const grazing = new Grazing(records, segments, ratings);
  for (const balance of await records.balances(period.start, ['species', 'ageClass', 'mob', 'paddock']))
    grazing.open(balance, balance.head);
  for await (const lines of records.headLines(period)) for (const line of lines) grazing.line(line);
  grazing.close();
  return grazing;
}

/** Paddocks and Unallocated together are the farm, and each ends as the ledger has it. */
async function check(records: FarmRecords, { end }: Period, { farm, paddocks }: Grazing): Promise<void> {
  const ofLand = ({ carried }: GrazedLand) =>
    sum(carried.flatMap((part) => (part ? [part.load.headDays] : [])));
  const [whole, parts] = [ofLand(farm), sum([...paddocks.values()].map(ofLand))];
  if (!whole.round(20).eq(parts.round(20)))
    throw new SelfCheckFailed(
      `the farm carried ${whole.toFixed(4)} head days, its paddocks ${parts.toFixed(4)}`,
    );
  const ledger = new Map(
    (await records.balances(records.calendar.plusDays(end, 1), ['paddock'])).map(({ paddock, head }) => [
      paddock,
      head,
    ]),
  );
  for (const [paddock, { head }] of paddocks) {
    const held = ledger.get(paddock) ?? 0;
    ledger.delete(paddock);
    if (head !== held)
      throw new SelfCheckFailed(
        `${paddockLabel(records, paddock)} ends with ${head} head, but the ledger holds ${held}`,
      );
  }
  for (const [paddock, head] of ledger)
    throw new SelfCheckFailed(
      `${paddockLabel(records, paddock)}: the ledger holds ${head} head that nothing brought there`,
    );
}

function warnOf(
  records: FarmRecords,
  { paddocks, unrated }: Grazing,
  { tableUsed }: Ratings,
  warn: GenerationInput['warn'],
): void {
  const unit = records.farm.animalUnit.toUpperCase();
  if (tableUsed) warn(`Stock without a rating of their own are rated by: ${tableUsed.name}.`);
  for (const stock of [...unrated].toSorted())
    warn(`${stock}: no ${unit} rating is given; their head days are shown under head_days_unrated.`);
  for (const [paddock, { wentNegative }] of paddocks) {
    if (wentNegative) warn(`${paddockLabel(records, paddock)}: more head left than were there.`);
  }
}

/** The rows of the report, from what grazing left behind. */
class LoadReport {
  private readonly months: readonly (readonly number[])[];

  constructor(
    private readonly records: FarmRecords,
    private readonly segments: readonly Segment[],
    private readonly paddocks: Paddocks,
    private readonly grazing: Grazing,
  ) {
    const byMonth = Map.groupBy(segments.keys(), (index) => (segments[index] as Segment).month);
    this.months = [...byMonth.values()];
  }

  /** By name, stock in no paddock last. */
  paddockOrder(): string[] {
    const ids = [...new Set([...this.paddocks.ids, ...this.grazing.paddocks.keys()])];
    const key = (id: string) => joinedKey(id === '' ? '1' : '0', paddockLabel(this.records, id), id);
    return ids.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  }

  /**
   * A row a month in which the paddock was there or carried stock, and their total. A cropping paddock appears with stock only; one
   * that nobody declared and that carried stock was always there.
   */
  paddockRows(paddock: string): Row[] {
    const land = this.grazing.paddocks.get(paddock);
    const areas = areasOf(paddock, this.paddocks, this.segments);
    const always = paddock !== '' && !this.paddocks.declares(paddock) && isGrazed(land, this.months.flat());
    const shown = this.months.filter(
      (indices) =>
        always || isGrazed(land, indices) || indices.some((index) => this.isPasture(paddock, index)),
    );
    if (shown.length === 0) return [];
    const details = shown.map((indices) =>
      this.row('detail', paddock, this.monthOf(indices), indices, land, areas),
    );
    return [...details, this.row('subtotal', paddock, null, shown.flat(), land, areas)];
  }

  farmRow(): Row {
    return this.row(
      'total',
      null,
      null,
      [...this.segments.keys()],
      this.grazing.farm,
      farmAreas(this.paddocks, this.segments),
    );
  }

  private isPasture(paddock: string, index: number): boolean {
    const version = this.paddocks.on((this.segments[index] as Segment).period.start, paddock);
    return version !== undefined && !isCropping(version);
  }

  private monthOf([index = 0]: readonly number[]): string {
    return (this.segments[index] as Segment).month;
  }

  private row(
    rowType: Row['rowType'],
    paddock: string | null,
    month: string | null,
    indices: readonly number[],
    land: GrazedLand | undefined,
    areas: Areas,
  ): Row {
    const segments = indices.map((index) => this.segments[index] as Segment);
    const carried = indices.map((index) => land?.carried[index] ?? NOTHING);
    return {
      rowType,
      cells: cellsOf(COLUMNS, { records: this.records, paddock, month, segments, indices, carried, areas }),
    };
  }
}
