import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { isTerminal } from './lifecycle.js';
import { DescribeQueue, FindPlaceInQueue, type QueueLoad, type ReportRecord } from './messages.js';
import { ReportPace } from './report-pace.js';
import { ReportTypes } from './report-types.js';

/** Seconds that a caller is told to wait at most before it asks again. */
const LONGEST = 60;
/** Seconds that a report is taken to need while none has been made yet. */
const UNKNOWN = 1;

/** What a caller can expect of a report that has not ended. */
export interface Expectation {
  /** Whole seconds, 1 to 60. */
  readonly retryAfter: number;
  /** Of a pending report: 1 when it is next. */
  readonly position?: number;
}

/** Tells how long it is until a report ends, by how long others took and what there is to do before it. */
@Injectable()
export class Outlook {
  constructor(
    private readonly pace: ReportPace,
    private readonly types: ReportTypes,
    private readonly queries: QueryBus,
  ) {}

  /** Undefined for a report that has ended. A new one's place in the queue is not looked up: its answer shall not wait. */
  async of(record: ReportRecord, isNew = false): Promise<Expectation | undefined> {
    if (isTerminal(record)) return undefined;
    // The record is in hand: that the database went away since does not spoil its answer.
    return this.expect(record, isNew).catch(() => ({ retryAfter: UNKNOWN }));
  }

  private async expect(record: ReportRecord, isNew: boolean): Promise<Expectation> {
    const { generator } = this.types.resolve(record.type);
    const seconds = (await this.pace.secondsOf(generator)) ?? UNKNOWN;
    if (record.status === 'processing') {
      return { retryAfter: secondsLeft(seconds, (Date.now() - record.lastModifiedDate) / 1000) };
    }
    const load = await this.queries.execute(new DescribeQueue());
    const position = isNew ? undefined : await this.queries.execute(new FindPlaceInQueue(record.id));
    const before = (position ?? load.waiting + 1) - 1;
    const retryAfter = secondsUntil(before, load, this.pace.ofAny() ?? UNKNOWN, seconds);
    return { retryAfter, ...(position !== undefined && { position }) };
  }
}

/** A report that takes longer than others is looked at again after a quarter of the time it has taken. */
export function secondsLeft(usual: number, taken: number): number {
  return bounded(Math.max(usual - taken, taken / 4));
}

/** What stands before the report is shared out among those that run now; then the report itself. */
export function secondsUntil(before: number, { running }: QueueLoad, each: number, itself: number): number {
  return bounded((before * each) / Math.max(running, 1) + itself);
}

function bounded(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), LONGEST);
}
