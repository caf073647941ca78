import {
  type Balance,
  cellsNamed,
  cellsOf,
  column,
  Decimal,
  declared,
  type FarmRecords,
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  rounded,
  sum,
  trimmed,
} from 'muster/kit';

/** Greasy kilograms a head. */
const FLEECE: Readonly<Record<string, string>> = { ewe: '4.5', wether: '5.2', lamb: '2' };

interface Shorn {
  readonly records: FarmRecords;
  readonly stock: Balance;
  readonly fleece: Decimal | undefined;
  readonly wool: Decimal | undefined;
}

const shorn = column<Shorn>;

const COLUMNS = [
  shorn('mob', 'text', 'none', 'Mob', ({ records, stock }) => records.names.mob(stock.mob) || null),
  shorn('age_class', 'text', 'none', 'Age class', ({ stock }) => stock.ageClass),
  shorn('head', 'integer', 'head', 'Sheep at the end of the last day', ({ stock }) => stock.head, {
    controlTotal: true,
  }),
  shorn('kg_per_head', 'decimal', 'kg/head', 'Greasy fleece', ({ fleece }) => trimmed(fleece, 2)),
  shorn('wool_kg', 'decimal', 'kg', 'head times kg_per_head', ({ wool }) => rounded(wool, 1), {
    controlTotal: true,
  }),
];

@ReportGenerator({
  type: 'wool-clip.v1',
  title: 'Wool clip',
  description: 'What the sheep at the end of the period would cut, by mob and age class.',
  version: '1.0',
  columns: declared(COLUMNS),
})
export class WoolClip implements Generator {
  async *rows({ records, period, warn }: GenerationInput): AsyncIterable<readonly Row[]> {
    const dayAfter = records.calendar.plusDays(period.end, 1);
    const balances = await records.balances(dayAfter, ['species', 'mob', 'ageClass']);
    const sheep = balances.filter(({ species }) => species === 'Sheep').map((stock) => shear(stock, records));
    for (const { stock, fleece } of sheep) if (!fleece) warn(`${stock.ageClass}: no fleece weight is known.`);
    if (sheep.length === 0) return;
    yield sheep.map((one) => ({ rowType: 'detail', cells: cellsOf(COLUMNS, one) }));
    const head = sheep.reduce((total, { stock }) => total + stock.head, 0);
    const wool = sum(sheep.flatMap((one) => one.wool ?? []));
    yield [{ rowType: 'total', cells: cellsNamed(COLUMNS, { head, wool_kg: rounded(wool, 1) }) }];
  }
}

/** Earlier words for the same report. */
@ReportGenerator({
  type: 'fleece.v1',
  replacedBy: 'wool-clip.v1',
  deprecatedSince: '2026-01-01',
  sunset: '2027-06-30',
})
export class Fleece extends WoolClip {}

function shear(stock: Balance, records: FarmRecords): Shorn {
  const known = FLEECE[stock.ageClass];
  const fleece = known === undefined ? undefined : new Decimal(known);
  return { records, stock, fleece, wool: fleece?.times(stock.head) };
}
