import type { ClientBase } from 'pg';
import { CATEGORIES, type Category, type HeadLine } from './head-line.js';
import type { SnapshotReading } from './snapshot-reading.js';

/** Trials of report types set this lower, to see many batches of few records. */
export const fetching = { rowsAtOnce: 2_000 };
let cursors = 0;

/** What stands in the columns of a query: how a cell that comes by COPY is read. */
export type CellKind = 'text' | 'number' | 'boolean' | 'json';

const READ: Readonly<Record<CellKind, (cell: string) => unknown>> = {
  text: (cell) => cell,
  number: Number,
  boolean: (cell) => cell === 't',
  json: (cell) => JSON.parse(cell) as unknown,
};

/** Rows of a query in batches; other statements may run in between. `kinds` are those of its columns. */
export async function* batches<Row extends unknown[]>(
  reading: SnapshotReading,
  text: string,
  values: readonly unknown[],
  kinds: readonly CellKind[],
  settings: readonly string[] = [],
): AsyncGenerator<Row[]> {
  if (!reading.canCopy) {
    yield* fetched<Row>(reading.first, text, values, settings);
    return;
  }
  const reads = kinds.flatMap((kind, index) => (kind === 'text' ? [] : [{ index, read: READ[kind] }]));
  for await (const rows of reading.copy(text, values, settings)) {
    for (const row of rows as unknown[][]) {
      for (const { index, read } of reads) {
        const cell = row[index];
        if (cell !== null) row[index] = read(cell as string);
      }
    }
    yield rows as unknown[][] as Row[];
  }
}

/** Through a cursor of the open transaction. */
async function* fetched<Row extends unknown[]>(
  client: ClientBase,
  text: string,
  values: readonly unknown[],
  settings: readonly string[],
): AsyncGenerator<Row[]> {
  const name = `farm_records_${++cursors}`;
  for (const setting of settings) await client.query(`SET LOCAL ${setting}`);
  await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, [...values]);
  for (const setting of settings) await client.query(`SET LOCAL ${setting.split(' ')[0] ?? ''} TO DEFAULT`);
  const { rowsAtOnce } = fetching;
  for (;;) {
    const { rows } = await client.query<Row>({
      text: `FETCH ${rowsAtOnce} FROM ${name}`,
      rowMode: 'array',
    });
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) break;
  }
  await client.query(`CLOSE ${name}`);
}

/** A line as JSON or an array row; LINE_COLUMNS says the order. */
export type LineColumns = readonly [
  category: number,
  species: string,
  enterprise: string,
  ageClass: string,
  mob: string,
  paddock: string,
  animal: string,
  managed: boolean,
  delta: number,
  head: number,
  value: string | null,
  book: string | number | null,
  whpClear: string | null,
  esiClear: string | null,
  empties: boolean,
];

export const LINE_KINDS: readonly CellKind[] = [
  'number',
  ...(['text', 'text', 'text', 'text', 'text', 'text'] as const),
  'boolean',
  'number',
  'number',
  ...(['text', 'text', 'text', 'text'] as const),
  'boolean',
];

export const LINE_COLUMNS = `l.category, l.species, l.enterprise, l.age_class, l.mob, l.paddock, l.animal, l.managed, l.delta, l.head,
  l.value::text, l.book, l.whp_clear::text, l.esi_clear::text, l.empties`;

export function toLine(columns: LineColumns): HeadLine {
  const [
    category,
    species,
    enterprise,
    ageClass,
    mob,
    paddock,
    animal,
    managed,
    delta,
    head,
    value,
    book,
    whpClear,
    esiClear,
    empties,
  ] = columns;
  return {
    category: categoryOf(category),
    ...{ species, enterprise, ageClass, mob, paddock, animal, managed, delta, head },
    ...(value !== null && { value }),
    ...(book !== null && { book: Number(book) }),
    ...(whpClear !== null && { whpClear }),
    ...(esiClear !== null && { esiClear }),
    ...(empties && { empties }),
  };
}

export function categoryOf(code: number): Category {
  const category = CATEGORIES[code];
  if (!category) throw new Error(`the ledger has a category ${code} that this code does not know`);
  return category;
}

export function codesOf(categories: readonly Category[]): number[] {
  return categories.map((category) => CATEGORIES.indexOf(category));
}

/** Unix milliseconds of a timestamptz column, as a number. */
export const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;
