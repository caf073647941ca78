import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../auth/index.js';
import { Config } from '../config.js';
import { isTerminal } from './lifecycle.js';
import { AwaitReport, FindReport, type ReportRecord } from './messages.js';
import { Outlook } from './outlook.js';
import { preferredWait } from './prefer.js';
import { reportNotFound } from './report.problems.js';
import { deprecationHeaders, linksOf, type ReportAnswer } from './report.representation.js';
import { ReportTypes } from './report-types.js';

/** Hands out records; to those who prefer to wait (RFC 7240), once the report has ended. */
@Injectable()
export class ReportDesk {
  /** Answers held back, by credential. */
  private readonly held = new Map<string, number>();

  constructor(
    private readonly queries: QueryBus,
    private readonly types: ReportTypes,
    private readonly outlook: Outlook,
    private readonly config: Config,
  ) {}

  /** The record with its links; while the report has not ended also when to ask again and where it stands. */
  async answer(record: ReportRecord, reply: FastifyReply, isNew = false): Promise<ReportAnswer> {
    const { publicUrl } = this.config;
    const expected = await this.outlook.of(record, isNew);
    void reply.headers({
      'Cache-Control': 'no-store',
      ...deprecationHeaders(this.types.find(record.type), publicUrl),
      ...(expected && { 'Retry-After': String(expected.retryAfter) }),
    });
    const { position } = expected ?? {};
    const data = position === undefined ? record : { ...record, queue: { position } };
    return { data, links: linksOf(record, publicUrl) };
  }

  /** Throws 404 when there is no such report for the caller. */
  async find(principal: Principal, id: string): Promise<ReportRecord> {
    const record = await this.queries.execute(new FindReport(principal, id));
    if (!record) throw reportNotFound();
    return record;
  }

  /** As `find`, after the wait that the caller prefers. */
  async fetch(
    principal: Principal,
    id: string,
    prefer: string | undefined,
    reply: FastifyReply,
  ): Promise<ReportRecord> {
    return this.patiently(principal, await this.find(principal, id), prefer, reply);
  }

  /**
   * The record as it stands when its report has ended, or when the wait that the caller prefers is over. A preference is a
   * wish: whoever has as many answers held back as one may have streams open is answered at once.
   */
  async patiently(
    principal: Principal,
    record: ReportRecord,
    prefer: string | undefined,
    reply: FastifyReply,
  ): Promise<ReportRecord> {
    const seconds = preferredWait(prefer);
    const holding = this.held.get(principal.id) ?? 0;
    if (seconds === undefined || holding >= this.config.EVENT_STREAMS_PER_CREDENTIAL) return record;
    void reply.header('Preference-Applied', `wait=${seconds}`);
    if (isTerminal(record)) return record;
    const left = new AbortController();
    const leave = (): void => left.abort();
    if (reply.raw.destroyed) leave();
    reply.raw.once('close', leave);
    this.held.set(principal.id, holding + 1);
    try {
      const asked = new AwaitReport(principal, record.id, seconds * 1000, left.signal);
      return (await this.queries.execute(asked)) ?? record;
    } finally {
      reply.raw.off('close', leave);
      this.release(principal.id);
    }
  }

  private release(credential: string): void {
    const holding = (this.held.get(credential) ?? 0) - 1;
    if (holding > 0) this.held.set(credential, holding);
    else this.held.delete(credential);
  }
}
