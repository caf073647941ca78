import { parse } from 'csv-parse/sync';
import type { Column, Row } from '../generators/generator.js';
import type { MadeReport } from './trial.js';

const FORMULA = /^[=+\-@\t\r]/;

/** Texts that did not come through as they were recorded. `hostile` writes a name; `«…»` marks what was such a name. */
export function mangledTexts(rows: readonly Row[], hostile: (plain: string) => string): string[] {
  const texts = rows.flatMap(({ cells }) => cells.filter((cell) => typeof cell === 'string'));
  return [...new Set(texts)].flatMap((text) =>
    [...text.matchAll(/«([^«»]*)/g)].flatMap(([, plain]) => {
      const recorded = hostile(plain as string);
      if (!text.includes(recorded))
        return [`${JSON.stringify(recorded)} is recorded, but shown as ${JSON.stringify(text)}`];
      return text.startsWith(`'${recorded}`)
        ? [`${JSON.stringify(text)} is escaped by the report type; the service does that where it is needed`]
        : [];
    }),
  );
}

/** Where the text of a CSV file or of JSON is not that of the rows, a formula escaped in CSV and nowhere else. */
export function fileFaults({ rows, files }: MadeReport, columns: readonly Column[]): string[] {
  const shown = columns.flatMap((column, index) => (column.jsonOnly ? [] : [{ column, index }]));
  const csv = parse(files.csv ?? '', { relax_column_count: false }).slice(1);
  const ndjson = (files.ndjson ?? '').split('\n').filter(Boolean);
  return rows.flatMap(({ cells }, at) => {
    const line = csv[at] ?? [];
    const object = JSON.parse(ndjson[at] ?? '{}') as Record<string, unknown>;
    return [
      ...shown.flatMap(({ column, index }, place) => {
        const expected = inCsv(cells[index] ?? null, column);
        return line[place + 1] === expected
          ? []
          : [`CSV row ${at + 1} has ${JSON.stringify(line[place + 1])} for ${JSON.stringify(expected)}`];
      }),
      ...columns.flatMap(({ name }, index) =>
        object[name] === cells[index]
          ? []
          : [`JSON row ${at + 1} has another ${name} than the report type gave`],
      ),
    ];
  });
}

function inCsv(cell: string | number | null, { type }: Column): string {
  if (cell === null) return '';
  return type === 'text' && FORMULA.test(String(cell)) ? `'${cell}` : String(cell);
}
