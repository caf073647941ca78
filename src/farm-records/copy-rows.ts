import { finished } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** COPY's spelling of NULL. */
export const NULL = '\\N';

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A text as COPY wants it in a column. */
export function escaped(text: string): string {
  return SPECIAL.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)
    : text;
}

/** Copies rows, each ending in a newline, into `columns` of a table. */
export async function copyRows(
  client: ClientBase,
  table: string,
  columns: string,
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return;
  const copy = client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`));
  copy.end(rows.join(''));
  await finished(copy);
}
