import type { Entry, RecordRef } from '../farm-records/reader.js';
import { Decimal } from './decimals.js';
import type {
  Cell,
  Column,
  Evidence,
  GenerationInput,
  GenerationPeriod,
  RowExplanation,
  RowInQuestion,
} from './generator.js';
import { joinedKey } from './keys.js';
import { cellsOf, type RowColumn } from './row-columns.js';

/** What a record brings, by column, as it is added up. */
export type Brings = Record<string, number | Decimal>;

/** Adds up what records bring, in the order in which they are first named. */
export class EvidenceSum {
  private readonly byRecord = new Map<string, { record: RecordRef; brings: Brings }>();

  add(record: RecordRef, brings: Brings): void {
    const key = joinedKey(record.source, record.sourceId);
    const known = this.byRecord.get(key);
    if (known) addTo(known.brings, brings);
    else this.byRecord.set(key, { record, brings: { ...brings } });
  }

  /** In the order the records happened. */
  toEvidence(): Evidence[] {
    return [...this.byRecord.values()]
      .toSorted((a, b) => a.record.at - b.record.at)
      .map(({ record, brings }) => ({ record, brings: plain(brings) }));
  }
}

/** Adds amounts to the sums of their columns. */
export function addTo(sums: Brings, amounts: Brings): void {
  for (const [column, amount] of Object.entries(amounts)) sums[column] = plus(sums[column], amount);
}

/** Amounts as they are told: whole numbers as numbers, others exact to ten places. */
export function plain(brings: Brings): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(brings).map(([column, amount]) => [
      column,
      typeof amount === 'number' ? amount : amount.round(10).toFixed(),
    ]),
  );
}

/** The entries of a day at a time. */
export async function* byDay(
  entries: AsyncIterable<readonly Entry[]>,
): AsyncIterable<readonly [Entry, ...Entry[]]> {
  let day: Entry[] = [];
  for await (const batch of entries) {
    for (const entry of batch) {
      if (day[0] && day[0].record.day !== entry.record.day) {
        yield day as [Entry, ...Entry[]];
        day = [];
      }
      day.push(entry);
    }
  }
  if (day.length > 0) yield day as [Entry, ...Entry[]];
}

/** How rows come about that are made one by one of subjects: a lot of a consignment, a feeding of a mob. */
export interface RowMaking<Subject> {
  readonly columns: readonly RowColumn<Subject>[];
  /** In the order of the days of their records. */
  readonly subjects: (input: GenerationInput) => AsyncIterable<readonly Subject[]>;
  /** The records that a subject was made of, and what they bring to its row. */
  readonly evidenceOf: (subject: Subject) => readonly { record: RecordRef; brings: Brings }[];
  /** The cells that a subtotal shares with the rows that it sums; a total shares those of them that it fills. */
  readonly totalledBy: readonly string[];
  /** A subject is of more days than its row's date, and cut at the edges of the period. */
  readonly lasting?: boolean;
}

/**
 * Explains rows made of subjects, totals by all the details they sum. Rows that say exactly the same are not told apart: each has the
 * records of all.
 */
export function explainSubjects<Subject>(
  input: GenerationInput,
  row: RowInQuestion,
  making: RowMaking<Subject>,
): RowExplanation {
  const isBehind = row.rowType === 'detail' ? sameRow(making.columns, row) : sharedCells(making, row);
  const period = making.lasting ? input.period : daysOf(row, input.period);
  return { broughtForward: {}, evidence: evidenceWhere({ ...input, period }, making, isBehind) };
}

/** The day of a detail; the days that are left to tell of a total. */
function daysOf({ rowType, cells, since }: RowInQuestion, period: GenerationPeriod): GenerationPeriod {
  const { date } = cells;
  if (rowType === 'detail' && typeof date === 'string') return { ...period, start: date, end: date };
  return since > period.start ? { ...period, start: since } : period;
}

async function* evidenceWhere<Subject>(
  input: GenerationInput,
  { subjects, evidenceOf, columns }: RowMaking<Subject>,
  isBehind: (cells: Cell[]) => boolean,
): AsyncIterable<readonly Evidence[]> {
  for await (const batch of subjects(input)) {
    const sum = new EvidenceSum();
    for (const subject of batch) {
      if (!isBehind(cellsOf(columns, subject))) continue;
      for (const { record, brings } of evidenceOf(subject)) sum.add(record, brings);
    }
    yield sum.toEvidence();
  }
}

function sameRow(columns: readonly Column[], { cells, loosely }: RowInQuestion): (made: Cell[]) => boolean {
  const isFigure = ({ type }: Column) => type === 'integer' || type === 'decimal';
  const wanted = columns.map((column) =>
    loosely && isFigure(column) ? undefined : (cells[column.name] ?? null),
  );
  return (made) => wanted.every((cell, index) => cell === undefined || made[index] === cell);
}

function sharedCells<Subject>(
  { columns, totalledBy }: RowMaking<Subject>,
  { rowType, cells }: RowInQuestion,
): (made: Cell[]) => boolean {
  const shared = totalledBy
    .map((name) => [columns.findIndex((column) => column.name === name), cells[name] ?? null] as const)
    .filter(([, cell]) => rowType === 'subtotal' || cell !== null);
  return (made) => shared.every(([index, cell]) => made[index] === cell);
}

function plus(a: number | Decimal | undefined, b: number | Decimal): number | Decimal {
  if (a === undefined) return b;
  return typeof a === 'number' && typeof b === 'number' ? a + b : new Decimal(a).plus(b);
}
