import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Catalogue } from '../src/generators/catalogue.js';
import { explainRow } from '../src/generators/explain-row.js';
import {
  contentSchema,
  encoded,
  ENCODERS,
  lineSchema,
  type ReportHeading,
} from '../src/generators/formats/index.js';
import type {
  Cell,
  Column,
  GenerationInput,
  Generator,
  Row,
  RowExplanation,
} from '../src/generators/generator.js';
import { declarationOf } from '../src/generators/report-generator.js';
import { contentFaults } from './support/content-schema.js';
import type { Ledger } from './farm-records-ledger.js';

/** The generators of the report types that are not deprecated. */
export async function currentReportTypes(): Promise<(new () => Generator)[]> {
  const { entries } = await Catalogue.load(join(import.meta.dirname, '../src/generators'));
  return entries
    .filter(({ declaration }) => declaration.replacedBy === undefined)
    .map(({ generator }) => generator);
}

/** A row as its reader sees it: the cells that are not blank, by column. */
export type ShownRow = { row_type: Row['rowType'] } & Record<string, Cell>;

export interface ShownReport {
  readonly rows: ShownRow[];
  readonly warnings: string[];
}

/** The whole report that a generator makes of a farm, held against the schemas that its type publishes of its content. */
export async function reportOf(
  ledger: Ledger,
  farmId: string,
  generator: new () => Generator,
  start: string,
  end: string,
): Promise<ShownReport> {
  const { type = '', title = '', columns = [] } = declarationOf(generator) ?? {};
  const warnings = new Set<string>();
  const rows = await ledger.read(farmId, async (records) => {
    const period = { start, end, timeZone: records.farm.timeZone };
    const input = { farmId, period, records, warn: (text: string) => void warnings.add(text) };
    return (await Array.fromAsync(new generator().rows(input))).flat();
  });
  const heading = {
    type,
    title,
    columns,
    farm: farmId,
    period: { start, end, timeZone: 'Australia/Sydney' },
  };
  const [json, ndjson] = ['json', 'ndjson'].map((format) => written(format, heading, rows, [...warnings]));
  expect(faultsOf(heading)(json ?? '', ndjson ?? '')).toEqual([]);
  return { rows: rows.map((row) => shown(row, columns)), warnings: [...warnings] };
}

function written(format: string, heading: ReportHeading, rows: readonly Row[], warnings: string[]): string {
  const encoder = (ENCODERS[format] as (typeof ENCODERS)[string])(heading);
  return encoded(encoder, [rows], warnings).toString();
}

const FAULTS = new Map<string, ReturnType<typeof contentFaults>>();

function faultsOf({ type, title, columns }: ReportHeading): ReturnType<typeof contentFaults> {
  const faults =
    FAULTS.get(type) ??
    contentFaults({ schema: contentSchema(type, title, columns), rowSchema: lineSchema(title, columns) });
  FAULTS.set(type, faults);
  return faults;
}

export interface ExplainedRow {
  readonly rowType: Row['rowType'];
  readonly cells: Readonly<Record<string, Cell>>;
  readonly broughtForward: RowExplanation['broughtForward'];
  /** What every record behind the row brings to its figures, by source id, in the order they happened. */
  readonly records: readonly { id: string; brings: Readonly<Record<string, number | string>> }[];
}

/** Every row of a report with the records behind it, as a reader who turns the pages gets them. */
export async function explainedRows(
  ledger: Ledger,
  farmId: string,
  generator: new () => Generator,
  [start, end]: readonly [string, string],
  { column, pageSize = 1000 }: { column?: string; pageSize?: number } = {},
): Promise<ExplainedRow[]> {
  const columns = declarationOf(generator)?.columns ?? [];
  return ledger.read(farmId, async (records) => {
    const period = { start, end, timeZone: records.farm.timeZone };
    const input: GenerationInput = { farmId, period, records, warn: () => undefined };
    const rows = (await Array.fromAsync(new generator().rows(input))).flat();
    const explained: ExplainedRow[] = [];
    for (const { rowType, cells } of rows) {
      const row = {
        rowType,
        cells: Object.fromEntries(columns.map(({ name }, at) => [name, cells[at] ?? null])),
      };
      const told: ExplainedRow['records'][number][] = [];
      let page: Awaited<ReturnType<typeof explainRow>>;
      do {
        page = await explainRow(new generator(), input, {
          row,
          limit: pageSize,
          madeFrom: String(records.position),
          ...(column !== undefined && { column }),
          ...(page?.next && { after: page.next }),
        });
        expect(page).toBeDefined();
        told.push(...(page?.records ?? []).map(({ sourceId, brings }) => ({ id: sourceId, brings })));
      } while (page?.next);
      explained.push({ ...row, broughtForward: page?.broughtForward ?? {}, records: told });
    }
    return explained;
  });
}

/** The report's detail rows, or another kind, with some of their columns. */
export function columnsOf(
  { rows }: ShownReport,
  names: readonly string[],
  rowType: Row['rowType'] = 'detail',
): Cell[][] {
  return rows.filter((row) => row.row_type === rowType).map((row) => names.map((name) => row[name] ?? null));
}

const SHAPES: Readonly<Record<Column['type'], RegExp>> = {
  text: /^/,
  integer: /^-?\d+$/,
  decimal: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\d$/,
};

function shown({ rowType, cells }: Row, columns: readonly Column[]): ShownRow {
  expect(cells).toHaveLength(columns.length);
  const named = columns.map(({ name, type }, index) => {
    const cell = cells[index] as Cell;
    if (cell !== null) {
      expect([name, typeof cell]).toEqual([name, type === 'integer' ? 'number' : 'string']);
      expect([name, String(cell)]).toEqual([name, expect.stringMatching(SHAPES[type])]);
    }
    return [name, cell] as const;
  });
  return { row_type: rowType, ...Object.fromEntries(named.filter(([, cell]) => cell !== null)) };
}
