import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../config.js';
import { Draining } from '../operations/health/draining.js';
import { Problem } from '../operations/problem.js';
import type { Course } from './course.js';
import { type Connected, EventStream, type Gate } from './event-stream.js';
import { ReportFeed } from './report-feed.js';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // A stream that ends while the process stops must not keep the process waiting for its connection.
  connection: 'close',
} as const;

const TICK_MS = 1_000;
const SLOW_READER_MS = 60_000;
const READING_AT_ONCE = 4;
const CHECKING_AT_ONCE = 2;
/** Clients of a process that stops come back over this time, not all at once. */
const RETURN_MS = { first: 200, last: 3_000 } as const;

interface Kept {
  readonly stream: EventStream;
  beatsAt: number;
  checksAt: number;
}

/** The open streams of this process: their signs of life, whether their callers may still look, and their end. */
@Injectable()
export class OpenStreams implements OnModuleInit, OnModuleDestroy {
  private readonly kept = new Set<Kept>();
  private readonly ofCredential = new Map<string, number>();
  private readonly gate = gate(READING_AT_ONCE);
  /** Thousands of streams of one credential are due at once: the first check is remembered for the others. */
  private readonly checks = gate(CHECKING_AT_ONCE);
  private readonly beatMs: number;
  private readonly checkMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly feed: ReportFeed,
    private readonly draining: Draining,
    private readonly config: Config,
  ) {
    this.beatMs = config.EVENT_STREAM_HEARTBEAT_SECONDS * 1000;
    this.checkMs = Math.max(config.CREDENTIAL_CACHE_SECONDS * 1000, TICK_MS);
  }

  onModuleInit(): void {
    this.draining.signal.addEventListener('abort', () => this.closeAll());
  }

  onModuleDestroy(): void {
    this.closeAll();
    clearInterval(this.timer);
  }

  /** Throws 429 when the caller, or 503 when the process, has as many streams open as it may. */
  requireRoom(credential: string): void {
    if ((this.ofCredential.get(credential) ?? 0) >= this.config.EVENT_STREAMS_PER_CREDENTIAL)
      throw tooMany(429);
    if (this.kept.size >= this.config.EVENT_STREAMS) throw tooMany(503);
  }

  /** Answers with a stream that runs until its course is over, the caller leaves or may look no longer, or the process stops. */
  open(reply: FastifyReply, course: Course, connected: Connected): void {
    reply.hijack();
    // Whoever left meanwhile has closed the answer already, and would never be seen to leave.
    if (reply.raw.destroyed) return;
    const headers = { ...HEADERS, ...presetHeaders(reply) };
    const stream = new EventStream(reply.raw, course, connected, this.gate);
    if (this.draining.signal.aborted) {
      reply.raw.writeHead(200, headers);
      stream.close(returnMs());
      return;
    }
    const kept = { stream, beatsAt: this.now() + this.beatMs, checksAt: this.now() + this.checkMs };
    this.count(connected.principal.id, 1);
    this.kept.add(kept);
    this.timer ??= setInterval(() => this.tick(), TICK_MS).unref();
    const unfollow = this.feed.follow(course.buckets, (stretch) => stream.take(stretch));
    reply.raw.on('close', () => {
      unfollow();
      this.kept.delete(kept);
      this.count(connected.principal.id, -1);
      stream.close();
    });
    stream.open(headers);
  }

  private tick(): void {
    const now = this.now();
    for (const kept of this.kept) {
      const { stream } = kept;
      if (stream.fullSince !== undefined && now - stream.fullSince > SLOW_READER_MS) stream.cut();
      if (kept.beatsAt <= now) {
        kept.beatsAt = now + this.beatMs;
        stream.beat();
      }
      if (kept.checksAt <= now) {
        kept.checksAt = Infinity;
        void this.check(kept);
      }
    }
  }

  private async check(kept: Kept): Promise<void> {
    const { stream } = kept;
    try {
      const now = await this.checks(() => stream.connected.identify());
      if (!stream.course.allows(now)) stream.close();
    } catch (refusal) {
      // Anything else means that the database is away, and then there is nothing to be seen either.
      if (refusal instanceof Problem && refusal.status < 500) stream.close();
    }
    kept.checksAt = this.now() + this.checkMs;
  }

  private closeAll(): void {
    for (const { stream } of this.kept) stream.close(returnMs());
  }

  private count(credential: string, more: 1 | -1): void {
    const count = (this.ofCredential.get(credential) ?? 0) + more;
    if (count === 0) this.ofCredential.delete(credential);
    else this.ofCredential.set(credential, count);
  }

  private now(): number {
    return performance.now();
  }
}

function returnMs(): number {
  return Math.round(RETURN_MS.first + Math.random() * (RETURN_MS.last - RETURN_MS.first));
}

function presetHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}

function tooMany(status: 429 | 503): Problem {
  const headers = { 'Retry-After': '30' };
  return new Problem('too-many-streams', 'As many streams are open as may be.', { status, headers });
}

/** Runs at most so many pieces of work at a time, in the order in which they came. */
function gate(most: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
