import type { FarmRecords } from '../farm-records/reader.js';
import type { EvidenceCursor, ExplainedRow, RowRecord } from '../reports/index.js';
import type { Evidence, GenerationInput, Generator, RowExplanation, RowInQuestion } from './generator.js';
import type { DeliveredRow } from './row-lookup.js';

export interface RowQuestion {
  readonly row: DeliveredRow;
  readonly column?: string;
  readonly limit: number;
  readonly after?: EvidenceCursor;
  /** Position of the farm's records that the report was made from. */
  readonly madeFrom: string;
}

/** Before every record. */
const BEGINNING = '0001-01-01';

/** Answers which records are behind a row; undefined when the report type does not say. */
export async function explainRow(
  generator: Generator,
  input: GenerationInput,
  question: RowQuestion,
): Promise<ExplainedRow | undefined> {
  const { records } = input;
  const { row, column, after } = question;
  const since = after ? records.calendar.dayOf(after.at) : BEGINNING;
  const asked: RowInQuestion = { ...row, since, ...(column !== undefined && { column }) };
  const explanation = await generator.explain?.(input, asked);
  if (!explanation) return undefined;
  let page = await pageOf(explanation, question);
  if (page.evidence.length === 0 && !after && String(records.position) !== question.madeFrom) {
    const loosely = await generator.explain?.(input, { ...asked, loosely: true });
    if (loosely) page = await pageOf(loosely, question);
  }
  return {
    ...row,
    broughtForward: explanation.broughtForward,
    records: await asImported(records, page.evidence),
    ...(page.next && { next: page.next }),
    recordsPosition: String(records.position),
  };
}

async function pageOf(
  { evidence }: RowExplanation,
  { column, limit, after }: RowQuestion,
): Promise<{ evidence: Evidence[]; next?: EvidenceCursor }> {
  const page: Evidence[] = [];
  // How many of an instant's records there have been, as the cursor counts them.
  let [at, told] = [NaN, 0];
  let last: EvidenceCursor | undefined;
  for await (const batch of evidence) {
    for (const each of batch) {
      told = each.record.at === at ? told + 1 : 1;
      at = each.record.at;
      if (after && (at < after.at || (at === after.at && told <= after.told))) continue;
      if (!concerns(each, column)) continue;
      if (page.length === limit) return { evidence: page, ...(last && { next: last }) };
      page.push(each);
      last = { at, told };
    }
  }
  return { evidence: page };
}

/** A column that is no sum of records is explained by all of them. */
function concerns({ brings }: Evidence, column: string | undefined): boolean {
  const brought = column === undefined ? undefined : brings[column];
  return brought === undefined || Number(brought) !== 0;
}

async function asImported(records: FarmRecords, evidence: readonly Evidence[]): Promise<RowRecord[]> {
  const bodies = await records.bodies(evidence.map(({ record }) => record));
  return evidence.map(({ record, brings }, index) => {
    const { source, sourceId, resourceType, day, time } = record;
    const body = bodies[index];
    const some = Object.entries(brings).filter(([, amount]) => Number(amount) !== 0);
    return {
      ...{ source, sourceId, resourceType, day, time },
      brings: Object.fromEntries(some),
      ...(body !== undefined && { body }),
    };
  });
}
