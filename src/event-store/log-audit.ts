import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type AuditedBucket, type AuditRule, type Finding, pages } from '../audit/index.js';
import { bucketOf, ERASED_TENANT } from './bucket.js';

/** A stream as its row says and as its events say; nulls where there is no row, or no event. */
interface StreamAccount {
  readonly id: string;
  readonly version: number | null;
  readonly tenant: string | null;
  readonly events: number | null;
  readonly first: number;
  readonly last: number;
  readonly one_tenant: boolean;
  readonly same_tenant: boolean;
}

const STREAMS = `
SELECT id, stream.version, stream.tenant, told.events, told.first, told.last,
       told.least_tenant = told.greatest_tenant AND told.least_type = told.greatest_type AS one_tenant,
       told.least_tenant = stream.tenant AND told.least_type = stream.type AS same_tenant
  FROM (SELECT stream_id AS id, count(*)::integer AS events, min(version) AS first, max(version) AS last,
               min(tenant_id) AS least_tenant, max(tenant_id) AS greatest_tenant, min(stream_type) AS least_type, max(stream_type) AS greatest_type
          FROM event WHERE bucket = $1::smallint AND ($2::text IS NULL OR tenant_id = $2) GROUP BY stream_id) AS told
  FULL JOIN (SELECT stream_id AS id, version, tenant_id AS tenant, stream_type AS type
               FROM stream WHERE bucket = $1::smallint AND ($2::text IS NULL OR tenant_id = $2)) AS stream USING (id)
 WHERE (told.first, told.last, told.events, told.least_tenant, told.greatest_tenant, told.least_type, told.greatest_type)
   IS DISTINCT FROM (1, stream.version, stream.version, stream.tenant, stream.tenant, stream.type, stream.type)`;

/** The log itself: no gap, no fork, every stream 1..n, every tenant in its bucket. */
@Injectable()
export class LogAudit implements AuditRule, OnModuleInit {
  readonly name = 'log';

  constructor(private readonly audit: Audit) {}

  onModuleInit(): void {
    this.audit.add(this);
  }

  async *inspect(audited: AuditedBucket): AsyncIterable<Finding> {
    yield* positions(audited);
    yield* streams(audited);
    yield* tenants(audited);
    yield* eventIds(audited);
    yield* checkpoints(audited);
  }
}

async function* positions({ tx, bucket }: AuditedBucket): AsyncIterable<Finding> {
  const { rows } = await tx.query<{ head: string; events: string; last: string }>(
    `SELECT (SELECT position FROM log_head WHERE bucket = $1) AS head, count(*) AS events, coalesce(max(position), 0) AS last
     FROM event WHERE bucket = $1`,
    [bucket],
  );
  const { head, events, last } = rows[0] ?? { head: null, events: '0', last: '0' };
  const subject = `bucket ${bucket}`;
  if (head !== last)
    yield { kind: 'log/head', subject, detail: `the head says ${head}, the last event is at ${last}` };
  if (events !== last)
    yield {
      kind: 'log/gap',
      subject,
      detail: `${events} events up to position ${last}; none at ${await firstGap(tx, bucket)}`,
    };
}

async function firstGap(tx: AuditedBucket['tx'], bucket: number): Promise<string | undefined> {
  const { rows } = await tx.query<{ gap: string }>(
    `SELECT nth AS gap FROM (SELECT position, row_number() OVER (ORDER BY position) AS nth FROM event WHERE bucket = $1) AS numbered
     WHERE position <> nth ORDER BY position LIMIT 1`,
    [bucket],
  );
  return rows[0]?.gap;
}

async function* streams({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
  for await (const accounts of pages<StreamAccount>(tx, 'stream_accounts', STREAMS, [bucket, farm ?? null]))
    for (const account of accounts) yield judged(account);
}

function judged({ id: subject, ...account }: StreamAccount): Finding {
  const { version, events, first, last } = account;
  if (events === null) return { kind: 'log/stream-without-events', subject, detail: `at version ${version}` };
  if (version === null) return { kind: 'log/events-without-stream', subject, detail: `${events} events` };
  if (!account.one_tenant || !account.same_tenant)
    return {
      kind: 'log/tenant',
      subject,
      detail: `the stream is of ${account.tenant}, events of it are of another tenant or type`,
    };
  if (first !== 1 || last !== events)
    return { kind: 'log/version', subject, detail: `${events} events, numbered from ${first} to ${last}` };
  return { kind: 'log/stream-version', subject, detail: `the stream says ${version}, its events ${last}` };
}

async function* tenants({ tx, bucket }: AuditedBucket): AsyncIterable<Finding> {
  const query = 'SELECT DISTINCT tenant_id FROM stream WHERE bucket = $1::smallint';
  for await (const rows of pages<{ tenant_id: string }>(tx, 'tenants', query, [bucket]))
    for (const { tenant_id: tenant } of rows)
      if (tenant !== ERASED_TENANT && bucketOf(tenant) !== bucket)
        yield { kind: 'log/bucket', subject: tenant, detail: `has its bucket ${bucketOf(tenant)}` };
}

async function* eventIds({ tx, bucket }: AuditedBucket): AsyncIterable<Finding> {
  const { rows } = await tx.query<{ event_id: string; times: string }>(
    'SELECT event_id, count(*) AS times FROM event WHERE bucket = $1 GROUP BY event_id HAVING count(*) > 1 LIMIT 100',
    [bucket],
  );
  for (const { event_id: subject, times } of rows)
    yield { kind: 'log/event-id', subject, detail: `is recorded ${times} times` };
}

async function* checkpoints({ tx, bucket }: AuditedBucket): AsyncIterable<Finding> {
  const { rows } = await tx.query<{ name: string; position: string }>(
    `SELECT name, checkpoint.position FROM subscription_checkpoint checkpoint JOIN log_head ON log_head.bucket = checkpoint.bucket
     WHERE checkpoint.bucket = $1 AND checkpoint.position > log_head.position`,
    [bucket],
  );
  for (const { name: subject, position } of rows)
    yield { kind: 'log/checkpoint', subject, detail: `has come to ${position}, beyond the head` };
}
