import { hash } from 'node:crypto';
import { Problem } from '../operations/problem.js';
import type { ReportRecord, ReportTypeDescription } from './messages.js';

export interface ReportLinks {
  readonly self: string;
  readonly download: string;
  readonly events: string;
}

export interface ReportAnswer {
  readonly data: ReportRecord;
  readonly links: ReportLinks;
}

export function linksOf({ id }: ReportRecord, publicUrl: string): ReportLinks {
  const self = `${publicUrl}/v2/report/${id}`;
  return { self, download: `${self}/download`, events: `${self}/events` };
}

/** What every answer about a deprecated type carries (http-api 9; RFC 9745, RFC 8594). */
export function deprecationHeaders(
  type: ReportTypeDescription | undefined,
  publicUrl: string,
): Record<string, string> {
  if (!type?.replacedBy) return {};
  return {
    Deprecation: `@${type.deprecatedSince ?? 0}`,
    ...(type.sunset !== undefined && { Sunset: new Date(type.sunset * 1000).toUTCString() }),
    Link: `<${publicUrl}/v2/report-types/${type.replacedBy}>; rel="successor-version"`,
  };
}

/** A strong validator of a record as it is answered. */
export function etagOf(answer: ReportAnswer): string {
  return `"${hash('sha256', JSON.stringify(answer), 'base64url').slice(0, 27)}"`;
}

/** RFC 9110 If-Match, compared strongly. Throws a 412 problem. */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!ifMatch.split(',').some((one) => one.trim() === etag))
    throw new Problem('precondition-failed', 'If-Match names another state than the one of now.');
}

/** RFC 9110 If-None-Match, compared weakly. */
export function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
  );
}
