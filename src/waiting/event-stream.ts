import type { ServerResponse } from 'node:http';
import type { Principal } from '../auth/index.js';
import type { Course, Outlet } from './course.js';
import type { Stretch } from './report-feed.js';

/** How long clients wait before they connect again. */
const RECONNECT_MS = 2_000;
const READ_AGAIN_MS = 1_000;

/** Who connected, and a way to see whether its credential still stands. Throws a refusal when it does not. */
export interface Connected {
  readonly principal: Principal;
  readonly identify: () => Promise<Principal>;
}

/** Lets only so many streams read from the store at once. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * One open connection of text/event-stream. What its socket cannot take is not kept: the stream pauses, and reads on from
 * the store when there is room again, so a slow reader costs no memory.
 */
export class EventStream {
  /** When it last could not take any more, in milliseconds of the process's clock; undefined while it can. */
  fullSince: number | undefined;
  private reading = false;
  private retry: NodeJS.Timeout | undefined;
  private written = false;

  private readonly whileLive: Outlet;
  private readonly whileReading: Outlet;

  constructor(
    private readonly response: ServerResponse,
    readonly course: Course,
    readonly connected: Connected,
    private readonly gate: Gate,
  ) {
    const stream = this; // eslint-disable-line @typescript-eslint/no-this-alias -- getters of its two sides
    const send = (frame: string): void => this.write(frame);
    this.whileLive = {
      send,
      get open() {
        return stream.writable && !stream.reading;
      },
    };
    this.whileReading = {
      send,
      get open() {
        return stream.writable;
      },
    };
    response.on('drain', () => this.drained());
  }

  /** Sends the head of the answer and what is there already. */
  open(headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(200, headers);
    this.write(`retry: ${RECONNECT_MS}\n${idLine(this.course.mark())}\n`);
    void this.readOn();
  }

  take(stretch: Stretch): void {
    this.course.take(stretch, this.whileLive);
    if (this.course.behind) void this.readOn();
    else this.endWhenOver();
  }

  /** A sign of life, if nothing else was sent since the last one, and where to resume if that has moved. */
  beat(): void {
    const mark = this.course.mark();
    if (this.writable && (mark !== undefined || !this.written)) this.write(`${idLine(mark)}:\n\n`);
    this.written = false;
  }

  /** Ends the answer; the client connects again after `reconnectMs`, or after the time it was told at first. */
  close(reconnectMs?: number): void {
    clearTimeout(this.retry);
    if (this.response.writableEnded) return;
    this.response.end(reconnectMs === undefined ? undefined : `retry: ${reconnectMs}\n\n`);
  }

  /** Cuts the connection of a reader that does not read. */
  cut(): void {
    clearTimeout(this.retry);
    this.response.destroy();
  }

  private get writable(): boolean {
    return this.fullSince === undefined && !this.response.writableEnded && !this.response.destroyed;
  }

  private write(frame: string): void {
    this.written = true;
    if (!this.response.write(frame)) this.fullSince ??= performance.now();
  }

  private drained(): void {
    this.fullSince = undefined;
    if (this.course.behind) void this.readOn();
  }

  private async readOn(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      while (this.course.behind && this.writable)
        await this.gate(() => this.course.readOn(this.whileReading));
    } catch {
      // The database is away: what is missing stays noted.
      clearTimeout(this.retry);
      this.retry = setTimeout(() => void this.readOn(), READ_AGAIN_MS).unref();
    }
    this.reading = false;
    this.endWhenOver();
  }

  private endWhenOver(): void {
    if (this.course.over) this.close();
  }
}

function idLine(mark: string | undefined): string {
  return mark === undefined ? '' : `id: ${mark}\n`;
}
