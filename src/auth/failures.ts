import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../database/database.js';
import { hashOf } from './secret.js';

const WINDOW_SECONDS = 300;
const MOST_REMEMBERED = 10_000;

/** What is being limited, and how many failures a window of five minutes forgives it. */
export interface Limit {
  readonly subject: string;
  readonly failures: number;
}

/** SQL for the seconds that one of some subjects is still blocked, NULL for none; both are names of array parameters. */
export const blockedSeconds = (subjects: string, failures: string) => `
  (SELECT ceil(max(extract(epoch FROM ends_at - now())))::integer FROM failure_window
   JOIN unnest(${subjects}::text[], ${failures}::integer[]) AS limited (name, most) ON subject = name
   WHERE ends_at > now() AND failures >= most)`;

/**
 * Counts failed attempts in windows that all processes share, by address, by client at an address, by account. Nobody is
 * locked out as a whole by naming him: client ids are public.
 */
@Injectable()
export class Failures {
  /** Blocks that this process has seen, so that a flood costs no queries: when they end, in Unix milliseconds. */
  private readonly seen = new LRUCache<string, number>({ max: MOST_REMEMBERED });

  constructor(private readonly database: Database) {}

  /** Seconds for which one of these is still blocked, as far as this process has seen. */
  remembered(...subjects: string[]): number | undefined {
    const left = subjects.map((subject) => Math.ceil(((this.seen.get(subject) ?? 0) - Date.now()) / 1000));
    const longest = Math.max(...left);
    return longest > 0 ? longest : undefined;
  }

  /** Counts one failure for each. Answers seconds when one of them was blocked already, and for how long it still is. */
  async note(limits: readonly Limit[]): Promise<number | undefined> {
    const { rows } = await this.database.query<{ subject: string; failures: number; seconds: number }>({
      name: 'failures-note',
      text: `INSERT INTO failure_window AS counted (subject, ends_at, failures)
             SELECT subject, now() + make_interval(secs => $2), 1 FROM unnest($1::text[]) AS subject ORDER BY subject
             ON CONFLICT (subject) DO UPDATE SET
               failures = CASE WHEN counted.ends_at <= now() THEN 1 ELSE counted.failures + 1 END,
               ends_at = CASE WHEN counted.ends_at <= now() THEN excluded.ends_at ELSE counted.ends_at END
             RETURNING subject, failures, extract(epoch FROM ends_at - now())::float8 AS seconds`,
      values: [limits.map(({ subject }) => subject), WINDOW_SECONDS],
    });
    const most = new Map(limits.map(({ subject, failures }) => [subject, failures]));
    const full = rows.filter(({ subject, failures }) => failures >= (most.get(subject) ?? Infinity));
    for (const { subject, seconds } of full) this.seen.set(subject, Date.now() + seconds * 1000);
    const over = full.filter(({ subject, failures }) => failures > (most.get(subject) ?? Infinity));
    return over.length > 0 ? Math.ceil(Math.max(...over.map(({ seconds }) => seconds))) : undefined;
  }

  /** Takes back what was counted: the attempt has succeeded. */
  async forgive(limits: readonly Limit[]): Promise<void> {
    await this.database.query({
      name: 'failures-forgive',
      text: 'UPDATE failure_window SET failures = failures - 1 WHERE subject = ANY ($1)',
      values: [limits.map(({ subject }) => subject)],
    });
  }
}

/** An address as it is counted: an IPv6 subscriber has a whole /64. */
export function addressSubject(purpose: string, address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return `${purpose}@${plain.includes(':') ? networkOf(plain) : plain}`;
}

/** What somebody named, which might be a secret typed into the wrong field: only its digest is kept. */
export function namedSubject(purpose: string, name: string): string {
  return `${purpose}:${hashOf(name).toString('base64url')}`;
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail?.split(':') ?? [])]
    .slice(0, 4)
    .map((group) => parseInt(group || '0', 16).toString(16))
    .join(':');
}
