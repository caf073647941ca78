import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../config.js';
import { Database } from '../database/index.js';

/** What is limited apart: reading, changing, importing, and asking for tokens. */
export type Budget = 'reads' | 'writes' | 'imports' | 'tokens';

/** What is left of a budget after a request, as far as this process knows, and the seconds until it is full again. */
export interface Allowance {
  readonly allowed: boolean;
  readonly budget: Budget;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly left: number;
  readonly resetSeconds: number;
}

/** A part of a window's quota that this process may spend without asking anybody. */
interface Slice {
  left: number;
  /** What others may still draw. */
  readonly elsewhere: number;
  /** On this process's clock, in milliseconds. */
  readonly endsAt: number;
}

const MOST_SUBJECTS = 50_000;
/** A window's quota is drawn in this many parts: so often, at most, does a busy credential cost a statement. */
const PARTS = 50;

/**
 * Counts what credentials ask for, in windows that all processes share. A process draws a slice of the window from the
 * database and counts it up in memory, so that most requests cost no statement. All processes together never let more
 * through than the quota; a slice that its process does not use up is lost to the others until the window ends.
 */
@Injectable()
export class RateLimits {
  private readonly slices = new LRUCache<string, Slice>({ max: MOST_SUBJECTS });
  private readonly drawing = new Map<string, Promise<Slice>>();
  private readonly quotas: Readonly<Record<Budget, number>>;
  private readonly windowSeconds: number;

  constructor(
    private readonly database: Database,
    config: Config,
  ) {
    this.windowSeconds = config.RATE_LIMIT_SECONDS;
    this.quotas = {
      reads: config.RATE_LIMIT_READS,
      writes: config.RATE_LIMIT_WRITES,
      imports: config.RATE_LIMIT_IMPORTS,
      tokens: config.RATE_LIMIT_TOKENS,
    };
  }

  /** Takes one request from a credential's budget, at `now` in milliseconds of the process's clock. */
  spend(credential: string, budget: Budget, now = performance.now()): Allowance | Promise<Allowance> {
    const subject = `${budget} ${credential}`;
    const slice = this.slices.get(subject);
    if (slice && slice.endsAt > now && (slice.left > 0 || slice.elsewhere === 0)) {
      return this.take(slice, budget, now);
    }
    return this.drawAndSpend(subject, credential, budget, now);
  }

  private async drawAndSpend(
    subject: string,
    credential: string,
    budget: Budget,
    now: number,
  ): Promise<Allowance> {
    let drawing = this.drawing.get(subject);
    if (!drawing) {
      drawing = this.draw(subject, this.quotas[budget], now).finally(() => this.drawing.delete(subject));
      this.drawing.set(subject, drawing);
    }
    this.slices.set(subject, await drawing);
    return this.spend(credential, budget, now);
  }

  private take(slice: Slice, budget: Budget, now: number): Allowance {
    const allowed = slice.left > 0;
    if (allowed) slice.left--;
    return {
      allowed,
      budget,
      quota: this.quotas[budget],
      windowSeconds: this.windowSeconds,
      left: slice.left + slice.elsewhere,
      resetSeconds: Math.max(1, Math.ceil((slice.endsAt - now) / 1000)),
    };
  }

  /** Draws beyond the quota give nothing. A few windows that have ended are removed on the way. */
  private async draw(subject: string, quota: number, now: number): Promise<Slice> {
    const part = Math.max(1, Math.floor(quota / PARTS));
    const { rows } = await this.database.query<{ drawn: string; milliseconds: number }>({
      name: 'rate-window-draw',
      text: `WITH outdated AS (
               DELETE FROM rate_window WHERE ctid IN (
                 SELECT ctid FROM rate_window WHERE ends_at < now() - interval '1 minute' AND subject <> $1
                 LIMIT 4 FOR UPDATE SKIP LOCKED))
             INSERT INTO rate_window AS running (subject, ends_at, drawn)
             VALUES ($1, clock_timestamp() + make_interval(secs => $3), $2)
             ON CONFLICT (subject) DO UPDATE SET
               drawn = CASE WHEN running.ends_at <= clock_timestamp() THEN 0 ELSE running.drawn END + excluded.drawn,
               ends_at = CASE WHEN running.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE running.ends_at END
             RETURNING drawn, extract(epoch FROM ends_at - clock_timestamp())::float8 * 1000 AS milliseconds`,
      values: [subject, part, this.windowSeconds],
    });
    const drawn = Number(rows[0]?.drawn ?? part);
    return {
      left: Math.min(Math.max(quota - (drawn - part), 0), part),
      elsewhere: Math.max(quota - drawn, 0),
      endsAt: now + (rows[0]?.milliseconds ?? this.windowSeconds * 1000),
    };
  }
}

/** The fields that tell a client about its allowance (draft-ietf-httpapi-ratelimit-headers, structured fields of RFC 9651). */
export function rateLimitFields(allowance: Allowance): Record<string, string> {
  const { budget, quota, windowSeconds, left, resetSeconds } = allowance;
  return {
    'RateLimit-Policy': `"${budget}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${budget}";r=${left};t=${resetSeconds}`,
  };
}
