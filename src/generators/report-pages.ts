import type { FarmRecords, Period } from '../farm-records/reader.js';
import type { Catalogue, CatalogueEntry } from './catalogue.js';
import { csvEncoder } from './formats/csv.js';
import { encoded } from './formats/index.js';
import type { Cell, Column, Row } from './generator.js';
import type { ReportTypeDeclaration } from './report-generator.js';

/** Rows of each kind that a page shows. */
const SHOWN = { detail: 3, subtotal: 1, total: 1 };

/** What a report looks like: the rows that a page shows of it, and what it warned of. */
interface ReportSample {
  readonly rows: readonly Row[];
  /** What stands in each column somewhere, if it can be other than 0; null where nothing does. */
  readonly examples: readonly Cell[];
  readonly warnings: readonly string[];
}

/** A page for every report type that is not deprecated, and one that lists them, by file name; the samples are of one farm and period. */
export async function reportPages(
  catalogue: Catalogue,
  records: FarmRecords,
  period: Period,
): Promise<Record<string, string>> {
  const current = catalogue.entries.filter(({ declaration }) => declaration.replacedBy === undefined);
  const pages: Record<string, string> = { 'README.md': contentsPage(current) };
  for (const entry of current) {
    const { type } = entry.declaration;
    const replaced = catalogue.entries.filter(({ declaration }) => declaration.replacedBy === type);
    const sample = await sampleOf(entry, records, period);
    const names = replaced.map(({ declaration }) => declaration.type);
    pages[fileOf(type)] = reportPage(entry.declaration, names, sample);
  }
  return pages;
}

function fileOf(type: string): string {
  return `${type.replace(/\.v\d+$/, '')}.md`;
}

function contentsPage(entries: readonly CatalogueEntry[]): string {
  const lines = entries.map(
    ({ declaration: { title, type, description } }) =>
      `- [${title}](${fileOf(type)}), \`${type}\`: ${description}`,
  );
  return `# Reports\n\n${lines.join('\n')}\n\n${ALL_REPORTS}\n`;
}

const ALL_REPORTS = `## All reports

- Periods are local days on the farm, both included. Reports go by the day something happened, never by the day it was recorded.
- The first column, \`row_type\`, tells \`detail\` rows from \`subtotal\` and \`total\` rows. JSON and NDJSON also name each row's number, \`row\`; it counts rows of every kind from 1, in the order of the CSV.
- Ids stand beside names in JSON and NDJSON only. Sums of the columns marked as control totals, over the detail rows, are in the report's manifest.
- Nothing is dropped: what nobody named stands under \`Unassigned\`, a negative balance is shown, and warnings say what to look at.
- Amounts are exact; they are rounded half-up where they are shown, money to 2 places. Totals are sums of what was not yet rounded. Amounts in different currencies, and quantities in different units, are never added.
- In CSV a text that a spreadsheet would take for a formula begins with an apostrophe.
- \`GET /v2/report/{id}/rows/{row}/records\` leads from a row to the records behind it, with \`?column=\` from one figure. Rows are counted without the header, so a row's number is one less than the one a spreadsheet shows.

The samples are of the farm that \`npm run demo\` shows. These pages are made by \`npm run docs\` of what the report types say of themselves.`;

/** A few rows of a report on a farm. */
async function sampleOf(
  { generator, declaration }: CatalogueEntry,
  records: FarmRecords,
  { start, end }: Period,
): Promise<ReportSample> {
  const warnings = new Set<string>();
  const period = { start, end, timeZone: records.farm.timeZone };
  const input = { farmId: records.farm.id, period, records, warn: (text: string) => void warnings.add(text) };
  const all = (await Array.fromAsync(new generator().rows(input))).flat();
  const few = Object.entries(SHOWN).flatMap(([kind, count]) =>
    fullest(
      all.filter(({ rowType }) => rowType === kind),
      count,
    ),
  );
  const rows = all.filter((row) => few.includes(row));
  const examples = declaration.columns.map((_, index) => exampleOf([...rows, ...all], index));
  return { rows, examples, warnings: [...warnings] };
}

/** The page of a report type and of the deprecated ones that it replaces, in Markdown: all of it is what the type says of itself. */
function reportPage(
  declaration: ReportTypeDeclaration,
  replaced: readonly string[],
  { rows, examples, warnings }: ReportSample,
): string {
  const { type, title, description, columns, rules = [], sources = [] } = declaration;
  const sections = [
    `# ${title}`,
    `\`${type}\`. ${description}`,
    ...(replaced.length > 0
      ? [`Replaces ${replaced.map(code).join(' and ')}, which make the same content.`]
      : []),
    ...section('What to know', rules.map(bullet).join('\n')),
    ...section('Columns', columnTable(columns, examples)),
    ...section('Sample', rows.length > 0 ? csvOf(columns, rows) : ''),
    ...section('Warnings of the sample', warnings.map(bullet).join('\n')),
    ...section('Sources', sources.map(bullet).join('\n')),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Those with most to show, in their order. */
function fullest(rows: readonly Row[], count: number): Row[] {
  const filled = ({ cells }: Row) =>
    cells.filter((cell) => cell !== null && cell !== 0 && cell !== '0.00').length;
  const chosen = rows.toSorted((a, b) => filled(b) - filled(a)).slice(0, count);
  return rows.filter((row) => chosen.includes(row));
}

function exampleOf(rows: readonly Row[], index: number): Cell {
  const cells = rows.map((row) => row.cells[index] ?? null).filter((cell) => cell !== null);
  return cells.find((cell) => Number(cell) !== 0) ?? cells[0] ?? null;
}

function section(title: string, body: string): string[] {
  return body === '' ? [] : [`## ${title}`, body];
}

function bullet(text: string): string {
  return `- ${text}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function columnTable(columns: readonly Column[], examples: readonly Cell[]): string {
  const lines = columns.map(({ name, type, unit, description, jsonOnly, controlTotal }, index) => {
    const more = [...(jsonOnly ? ['JSON only'] : []), ...(controlTotal ? ['control total'] : [])];
    const meaning = [description, ...more.map((word) => `_${word}_`)].join('; ');
    return [code(name), type, unit === 'none' ? '' : unit, meaning, String(examples[index] ?? '')];
  });
  const head = ['column', 'type', 'unit', 'meaning', 'example'];
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.map(safe).join(' | ')} |`)
    .join('\n');
}

function safe(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function csvOf(columns: readonly Column[], rows: readonly Row[]): string {
  const period = { start: '', end: '', timeZone: '' };
  const encoder = csvEncoder({ type: '', farm: '', title: '', period, columns });
  const text = encoded(encoder, [rows]).toString().replaceAll('\r\n', '\n');
  return `\`\`\`csv\n${text}\`\`\``;
}
