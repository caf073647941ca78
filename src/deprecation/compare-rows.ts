import type { CellDifference, RowCounts, RowDifference } from './messages.js';

/** A row as a line of NDJSON has it. */
export type ComparedRow = Readonly<Record<string, string | number | null>>;

/** How far ahead a row is looked for on the other side before the two are taken for the same row with other cells. */
const WINDOW = 100;

/**
 * Compares rows in their order, in the columns that both sides have. Rows that one side lacks are told apart from rows that changed as
 * long as no more than a window of them come together. Holds two windows of rows, whatever the size of the reports.
 */
export async function compareRows(
  deprecated: AsyncIterable<ComparedRow>,
  replacement: AsyncIterable<ComparedRow>,
  columns: readonly string[],
  limit: number,
): Promise<{ readonly rows: RowCounts; readonly differences: readonly RowDifference[] }> {
  const [left, right] = [new Side(deprecated, columns), new Side(replacement, columns)];
  const comparison = new Comparison(left, right, columns, limit);
  await Promise.all([left.fill(), right.fill()]);
  while (!left.isEmpty && !right.isEmpty) {
    comparison.step();
    await Promise.all([left.fill(), right.fill()]);
  }
  for (const side of [left, right]) {
    while (!side.isEmpty) {
      comparison.tellAlone(side, side.size);
      await side.fill();
    }
  }
  return { rows: comparison.rows, differences: comparison.differences };
}

/** What was found so far: every row is counted, the first `limit` differences are told. */
class Comparison {
  readonly rows = { same: 0, changed: 0, onlyDeprecated: 0, onlyReplacement: 0 };
  readonly differences: RowDifference[] = [];

  constructor(
    private readonly left: Side,
    private readonly right: Side,
    private readonly columns: readonly string[],
    private readonly limit: number,
  ) {}

  /** Judges the first row of each side: the same, the same with other cells, or one that the other side lacks. */
  step(): void {
    const { left, right } = this;
    if (left.first === right.first) {
      left.take();
      right.take();
      this.rows.same++;
      return;
    }
    const [inLeft, inRight] = [left.find(right.first), right.find(left.first)];
    if (inRight > 0 && (inLeft < 0 || inRight <= inLeft)) this.tellAlone(right, inRight);
    else if (inLeft > 0) this.tellAlone(left, inLeft);
    else this.tellChanged();
  }

  /** The next `count` rows of a side that the other one lacks. */
  tellAlone(side: Side, count: number): void {
    for (let told = 0; told < count; told++) {
      const row = side.take();
      if (side === this.left) {
        this.rows.onlyDeprecated++;
        this.tell({ kind: 'only-deprecated', deprecatedRow: row });
      } else {
        this.rows.onlyReplacement++;
        this.tell({ kind: 'only-replacement', replacementRow: row });
      }
    }
  }

  private tellChanged(): void {
    const { left, right } = this;
    const cells = differingCells(left.first, right.first, this.columns);
    this.rows.changed++;
    this.tell({ kind: 'changed', deprecatedRow: left.take(), replacementRow: right.take(), cells });
  }

  private tell(difference: RowDifference): void {
    if (this.differences.length < this.limit) this.differences.push(difference);
  }
}

/** The rows of one report that are looked at, each as the text of its compared cells. */
class Side {
  private readonly ahead: string[] = [];
  private readonly source: AsyncIterator<ComparedRow>;
  private taken = 0;
  private ended = false;

  constructor(
    rows: AsyncIterable<ComparedRow>,
    private readonly columns: readonly string[],
  ) {
    this.source = rows[Symbol.asyncIterator]();
  }

  get isEmpty(): boolean {
    return this.ahead.length === 0;
  }

  get size(): number {
    return this.ahead.length;
  }

  get first(): string {
    return this.ahead[0] as string;
  }

  async fill(): Promise<void> {
    while (!this.ended && this.ahead.length < WINDOW) {
      const next = await this.source.next();
      if (next.done) this.ended = true;
      else this.ahead.push(JSON.stringify(this.columns.map((column) => next.value[column] ?? null)));
    }
  }

  find(row: string): number {
    return this.ahead.indexOf(row);
  }

  /** Answers the number of the row that is taken, from 1. */
  take(): number {
    this.ahead.shift();
    return ++this.taken;
  }
}

function differingCells(left: string, right: string, columns: readonly string[]): CellDifference[] {
  const [deprecated, replacement] = [JSON.parse(left) as Cell[], JSON.parse(right) as Cell[]];
  return columns.flatMap((column, index) => {
    const [one = null, other = null] = [deprecated[index], replacement[index]];
    return one === other ? [] : [{ column, deprecated: one, replacement: other }];
  });
}

type Cell = string | number | null;
