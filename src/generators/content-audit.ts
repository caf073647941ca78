import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, type AuditedBucket, type AuditRule, type Finding } from '../audit/index.js';
import { Config } from '../config.js';
import { EventStore } from '../event-store/index.js';
import type { ReportCompleted, ReportFile } from '../reports/index.js';
import {
  ChunkDamaged,
  leftBehind,
  publishedArtifacts,
  type StoredFile,
  storedChunk,
  storedFiles,
} from './stored-content.js';
import { abandonedBefore } from './upkeep.js';

const SPAN = 2_000;
/** How often the upkeep may be late before what it should have removed is a finding. */
const PATIENCE_MS = 3_600_000;

/** Every completed report has the content its manifest describes, byte for byte, and nothing else is published. */
@Injectable()
export class ContentAudit implements AuditRule, OnModuleInit {
  readonly name = 'content';

  constructor(
    private readonly audit: Audit,
    private readonly store: EventStore,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.audit.add(this);
  }

  async *inspect(audited: AuditedBucket): AsyncIterable<Finding> {
    yield* this.promised(audited);
    if (audited.farm !== undefined) return;
    yield* this.published(audited);
    const { tx, bucket } = audited;
    const before = new Date(abandonedBefore(Date.now(), this.config) - PATIENCE_MS);
    for (const { reportId: subject, attempt } of await leftBehind(tx, bucket, before))
      yield { kind: 'content/left-behind', subject, detail: `attempt ${attempt} was never published` };
  }

  /** From the events to the content. */
  private async *promised({ tx, bucket, farm }: AuditedBucket): AsyncIterable<Finding> {
    for (let position = 0n, complete = false; !complete;) {
      const stretch = await this.store.readStretch(bucket, position, SPAN, ['ReportCompleted'], tx);
      const completed = stretch.events.filter(({ tenantId }) => farm === undefined || tenantId === farm);
      const ids = completed.map(({ streamId }) => streamId);
      const expired = await this.expiredAmong(tx, bucket, ids);
      const stored = await storedFiles(tx, bucket, ids);
      for (const { streamId, event } of completed) {
        if (expired.has(streamId)) continue;
        const { attempt, manifest } = event as ReportCompleted;
        yield* compare(streamId, manifest.files, stored.get(`${streamId} ${attempt}`) ?? []);
        for (const file of stored.get(`${streamId} ${attempt}`) ?? []) yield* verify(tx, bucket, file);
      }
      ({ through: position, complete } = stretch);
    }
  }

  /** From the content to the events. */
  private async *published({ tx, bucket }: AuditedBucket): AsyncIterable<Finding> {
    for await (const artifacts of publishedArtifacts(tx, bucket)) {
      const ids = artifacts.map(({ reportId }) => reportId);
      const completed = await this.store.readStreams(tx, bucket, ids, ['ReportCompleted']);
      const attempts = new Set(
        completed.map(({ streamId, event }) => `${streamId} ${(event as ReportCompleted).attempt}`),
      );
      const expired = await this.expiredAmong(tx, bucket, ids);
      for (const { reportId: subject, attempt } of artifacts) {
        if (!attempts.has(`${subject} ${attempt}`))
          yield {
            kind: 'content/without-event',
            subject,
            detail: `attempt ${attempt} is published, but did not complete`,
          };
        else if (expired.has(subject))
          yield { kind: 'content/expired', subject, detail: `attempt ${attempt} is still there` };
      }
    }
  }

  private async expiredAmong(
    tx: AuditedBucket['tx'],
    bucket: number,
    ids: readonly string[],
  ): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const events = await this.store.readStreams(tx, bucket, ids, ['ReportExpired']);
    return new Set(events.map(({ streamId }) => streamId));
  }
}

/** The files of the manifest against those that say of themselves that they are published. */
function* compare(
  subject: string,
  promised: readonly ReportFile[],
  stored: readonly StoredFile[],
): Iterable<Finding> {
  if (stored.length === 0) {
    yield { kind: 'content/missing', subject, detail: 'is completed and has no published content' };
    return;
  }
  const say = ({ format, bytes, sha256 }: ReportFile) => `${format} of ${bytes} bytes, ${sha256}`;
  const there = stored.map(say).sort();
  const wanted = promised.map(say).sort();
  if (there.join() !== wanted.join())
    yield {
      kind: 'content/manifest',
      subject,
      detail: `stored: ${there.join('; ')} - manifest: ${wanted.join('; ')}`,
    };
}

/** The bytes of a file against its size and digest. */
async function* verify(tx: AuditedBucket['tx'], bucket: number, file: StoredFile): AsyncIterable<Finding> {
  const subject = file.reportId;
  const fault = (detail: string): Finding => ({
    kind: 'content/bytes',
    subject,
    detail: `${file.format}: ${detail}`,
  });
  if (file.chunks !== file.lastChunk + 1) {
    yield fault(`there are ${file.chunks} chunks up to number ${file.lastChunk}, counted from 0`);
    return;
  }
  try {
    const { bytes, sha256 } = file.whole ?? (await putTogether(tx, bucket, file));
    if (bytes !== file.bytes) yield fault(`${bytes} bytes instead of ${file.bytes} bytes`);
    else if (sha256 !== file.sha256) yield fault('the content does not have its digest');
  } catch (error) {
    if (!(error instanceof ChunkDamaged)) throw error;
    yield fault(error.message);
  }
}

/** One chunk in memory at a time. */
async function putTogether(
  tx: AuditedBucket['tx'],
  bucket: number,
  file: StoredFile,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (let number = 0; number < file.chunks; number++) {
    const chunk = await storedChunk(tx, { bucket, ...file }, number);
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
