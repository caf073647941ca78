import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type AuditedBucket, type AuditRule, type Finding, pages } from '../audit/index.js';
import { bucketOf } from '../event-store/index.js';
import {
  CLASS_DIFFERENCES,
  FLOW_DIFFERENCES,
  HEAD_DIFFERENCES,
  STRAY_LINES,
  UNBOOKED,
} from './book-audit-sql.js';
import { readStatement } from './read-record.js';
import { parseExactly } from './resources/index.js';
import type { StockEvent, Subject } from './statement.js';

interface Difference {
  readonly farm: string;
  readonly what: string;
  readonly kept: string;
  readonly summed: string;
}

interface UnbookedRow {
  readonly farm: string;
  readonly record: string;
  readonly resource_type: string;
  readonly body: string;
}

/** The ledger holds the lines of every record and of nothing else, its sums are those of its lines, and a farm's rows are its own. */
@Injectable()
export class BookAudit implements AuditRule, OnModuleInit {
  readonly name = 'ledger';

  constructor(private readonly audit: Audit) {}

  onModuleInit(): void {
    this.audit.add(this);
  }

  async *inspect(audited: AuditedBucket): AsyncIterable<Finding> {
    yield* farms(audited);
    yield* unbooked(audited);
    yield* differences(audited, 'stray_lines', STRAY_LINES, 'ledger/line-without-record');
    yield* differences(audited, 'flow_differences', FLOW_DIFFERENCES, 'ledger/flow');
    yield* differences(audited, 'class_differences', CLASS_DIFFERENCES, 'ledger/class-flow');
    yield* differences(audited, 'head_differences', HEAD_DIFFERENCES, 'ledger/balance');
  }
}

/** Rows of a farm that is not there, and farms that lie in the wrong bucket. */
async function* farms({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
  const { rows } = await tx.query<{ farm: string; known: boolean }>(
    `SELECT farm_id AS farm, bool_or(known) AS known FROM (
       SELECT farm_id, true AS known FROM farm WHERE bucket = $1
       UNION SELECT DISTINCT farm_id, false FROM farm_record WHERE bucket = $1
       UNION SELECT DISTINCT farm_id, false FROM monthly_flow WHERE bucket = $1
       UNION SELECT DISTINCT farm_id, false FROM class_flow WHERE bucket = $1
       UNION SELECT DISTINCT farm_id, false FROM head_balance WHERE bucket = $1) AS named
     WHERE $2::text IS NULL OR farm_id = $2 GROUP BY farm_id`,
    [bucket, farm ?? null],
  );
  for (const { farm: subject, known } of rows) {
    if (bucketOf(subject) !== bucket)
      yield { kind: 'ledger/bucket', subject, detail: `has its bucket ${bucketOf(subject)}` };
    if (!known) yield { kind: 'ledger/no-farm', subject, detail: 'has records or sums, and is no farm' };
  }
}

/** Records without a line. Some events need none, such as a move to where the head already stand: their record is read to tell. */
async function* unbooked({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
  for await (const rows of pages<UnbookedRow>(tx, 'unbooked', UNBOOKED, [bucket, farm ?? null]))
    for (const { farm: subject, record, resource_type, body } of rows) {
      const statement = readStatement(resource_type, parseExactly(body));
      if (statement && 'does' in statement && needsLine(statement))
        yield {
          kind: 'ledger/unbooked',
          subject,
          detail: `record ${record} (${resource_type}) has no line in the ledger`,
        };
    }
}

async function* differences(
  { tx, bucket, farm }: AuditedBucket,
  name: string,
  query: string,
  kind: string,
): AsyncIterable<Finding> {
  for await (const rows of pages<Difference>(tx, name, query, [bucket, farm ?? null]))
    for (const { farm: subject, what, kept, summed } of rows)
      yield { kind, subject, detail: `${what}: ${kept}, the records and lines say ${summed}` };
}

/** Whether an event leaves a line whatever the book says. */
function needsLine(event: StockEvent): boolean {
  switch (event.does) {
    case 'open':
    case 'count':
      return event.lines.length > 0;
    case 'enter':
    case 'leave':
      return concernsHead(event.subject);
    case 'treat':
    case 'feed':
      return true;
    default:
      return false;
  }
}

function concernsHead({ head = 0, animals }: Subject): boolean {
  return head > 0 || animals.length > 0;
}
