import type { FastifyReply } from 'fastify';
import type { Config } from '../config.js';
import { type FieldProblem, ValidationProblem } from './problem.js';

/** How many entries a page of a list holds. */
export const PAGE = { default: 50, most: 200 };

export interface Page {
  readonly limit: number;
  /** The keys that the page before ended with. */
  readonly after?: readonly string[];
}

/** Reads `limit` and `cursor`, a cursor of `keys` keys. Throws a ValidationProblem naming every bad parameter. */
export function readPage(query: Record<string, unknown>, keys: number): Page {
  const errors: FieldProblem[] = [];
  const limit = query.limit === undefined ? PAGE.default : readLimit(query.limit);
  if (limit === undefined)
    errors.push({
      pointer: '/limit',
      detail: `limit must be a whole number from 1 to ${PAGE.most}, given once.`,
    });
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, keys);
  if (query.cursor !== undefined && !after)
    errors.push({ pointer: '/cursor', detail: 'cursor must be the cursor of a page before, given once.' });
  if (errors.length > 0) throw new ValidationProblem(errors);
  return { limit: limit ?? PAGE.default, ...(after && { after }) };
}

export function cursorOf(keys: readonly string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

/** The link to the next page, in the answer's `links` and as a header; none after the last. */
export function nextPage(
  reply: FastifyReply,
  config: Config,
  path: string,
  query: Record<string, unknown>,
  cursor: string | undefined,
): { next?: string } {
  if (cursor === undefined) return {};
  const next = new URL(path, config.publicUrl);
  next.search = new URLSearchParams({ ...(query as Record<string, string>), cursor }).toString();
  void reply.header('Link', `<${next.href}>; rel="next"`);
  return { next: next.href };
}

/** A number of entries from 1 to what a page may hold. */
export function readLimit(value: unknown): number | undefined {
  const limit = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
  return limit >= 1 && limit <= PAGE.most ? limit : undefined;
}

function readCursor(value: unknown, keys: number): string[] | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const read = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as unknown;
    const sane =
      Array.isArray(read) &&
      read.length === keys &&
      read.every((key) => typeof key === 'string' && !key.includes('\0'));
    return sane ? (read as string[]) : undefined;
  } catch {
    return undefined;
  }
}
