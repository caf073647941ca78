import type { ClientBase } from 'pg';
import { CATEGORIES, type Category, type HeadLine } from './head-line.js';

/** Trials of report types set this lower, to see many batches of few records. */
export const reading = { rowsAtOnce: 2_000 };
let cursors = 0;

/** Rows of a query in batches, through a cursor of the open transaction; other statements may run in between. */
export async function* batches<Row extends unknown[]>(
  client: ClientBase,
  text: string,
  values: readonly unknown[],
  { withoutLoops = false } = {},
): AsyncGenerator<Row[]> {
  const name = `farm_records_${++cursors}`;
  if (withoutLoops) await client.query('SET LOCAL enable_nestloop = off');
  await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, [...values]);
  if (withoutLoops) await client.query('SET LOCAL enable_nestloop = on');
  const { rowsAtOnce } = reading;
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
];

export const LINE_COLUMNS = `l.category, l.species, l.enterprise, l.age_class, l.mob, l.paddock, l.animal, l.managed, l.delta, l.head,
  l.value::text, l.book, l.whp_clear::text, l.esi_clear::text`;

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
  ] = columns;
  return {
    category: categoryOf(category),
    ...{ species, enterprise, ageClass, mob, paddock, animal, managed, delta, head },
    ...(value !== null && { value }),
    ...(book !== null && { book: Number(book) }),
    ...(whpClear !== null && { whpClear }),
    ...(esiClear !== null && { esiClear }),
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
