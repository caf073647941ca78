import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideReuse, readCacheControl } from './cache-control.js';

const DAY = 86_400;
const RETENTION = 30 * DAY;

function answer(header: string | undefined, ageSeconds?: number, inFlight = false) {
  const candidate = ageSeconds === undefined ? undefined : { ageMs: ageSeconds * 1000, inFlight };
  const decision = decideReuse(readCacheControl(header, RETENTION), candidate);
  if (decision.reuse) return decision.cacheStatus;
  return (
    decision.cacheStatus + (decision.mayCreate ? '' : ' (504)') + (decision.reusable ? '' : ' (kept apart)')
  );
}

const hit = (ttl: number): string => `reports; hit; ttl=${ttl}`;
const MISS = 'reports; fwd=miss; stored';
const STALE = 'reports; fwd=stale; stored';
const FORCED = 'reports; fwd=request; stored';
const UNREADABLE = 'reports; fwd=request; stored; detail=unreadable-cache-control';

describe('Cache-Control on a create', () => {
  it.each<[string, string | undefined, number | undefined, string]>([
    ['nothing said, nothing there', undefined, undefined, MISS],
    ['nothing said, within the hour', undefined, 3600, hit(0)],
    ['nothing said, after the hour', undefined, 3601, STALE],
    ['an empty header', '', 10, hit(3590)],
    ['no-cache', 'no-cache', 10, FORCED],
    ['NO-CACHE', 'NO-CACHE', 10, FORCED],
    ['no-cache with a field', 'no-cache="a, b"', 10, FORCED],
    ['no-store', 'no-store', 10, 'reports; fwd=request (kept apart)'],
    ['max-age, younger', 'max-age=60', 59, hit(1)],
    ['max-age, as old', 'max-age=60', 60, hit(0)],
    ['max-age, older', 'max-age=60', 61, STALE],
    ['max-age, nothing there', 'max-age=60', undefined, MISS],
    ['max-age beyond the default hour', 'max-age=86400', 80_000, hit(6400)],
    ['max-age beyond retention', `max-age=${40 * DAY}`, 31 * DAY, STALE],
    ['max-age of astronomical size', 'max-age=99999999999999999999', 29 * DAY, hit(DAY)],
    ['max-age=0', 'max-age=0', 0, FORCED],
    ['max-stale', 'max-stale', 29 * DAY, hit(DAY)],
    ['max-stale=N', 'max-stale=100', 3700, hit(0)],
    ['max-stale=N, older', 'max-stale=100', 3701, STALE],
    ['max-stale=N beside max-age', 'max-age=60, max-stale=10', 70, hit(0)],
    ['max-stale beside max-age=0', 'max-age=0, max-stale=10', 5, FORCED],
    ['min-fresh=N that fits', 'min-fresh=600', 3000, hit(600)],
    ['min-fresh=N that does not fit', 'min-fresh=601', 3000, STALE],
    ['only-if-cached, there', 'only-if-cached', 10, hit(3590)],
    ['only-if-cached, not there', 'only-if-cached', undefined, 'reports; fwd=miss (504)'],
    ['only-if-cached, too old', 'only-if-cached, max-age=5', 10, 'reports; fwd=stale (504)'],
    ['only-if-cached against no-cache', 'only-if-cached, no-cache', 10, 'reports; fwd=request (504)'],
    ['conflicting', 'no-cache, max-age=600', 10, FORCED],
    [
      'max-age twice, different',
      'max-age=10, max-age=600',
      5,
      'reports; fwd=request; stored; detail=ambiguous-max-age',
    ],
    ['max-age twice, alike', 'max-age=60, max-age=60', 59, hit(1)],
    ['max-age=abc', 'max-age=abc', 10, UNREADABLE],
    ['max-age=-1', 'max-age=-1', 10, UNREADABLE],
    ['max-age=1.5', 'max-age=1.5', 10, UNREADABLE],
    ['max-age bare', 'max-age', 10, UNREADABLE],
    ['max-age empty', 'max-age=', 10, UNREADABLE],
    ['min-fresh=abc', 'min-fresh=abc', 10, UNREADABLE],
    ['max-stale=abc, which cannot widen anything', 'max-stale=abc', 3601, STALE],
    ['max-age quoted', 'max-age="60"', 59, hit(1)],
    ['max-age in capitals', 'MAX-AGE=60', 59, hit(1)],
    ['several header lines', 'max-age=60,min-fresh=30', 31, STALE],
    ['unknown directives', 'stale-if-error=5, x="a,max-age=0", immutable', 10, hit(3590)],
  ])('%s', (_what, header, age, expected) => {
    expect(answer(header, age)).toBe(expected);
  });

  it('joins a report that is still being made', () => {
    expect(answer(undefined, 2, true)).toBe('reports; hit; collapsed');
  });

  it('never throws and never reuses beyond retention, whatever is sent', () => {
    const directive = fc.tuple(
      fc.constantFrom('max-age', 'max-stale', 'min-fresh', 'no-cache', 'no-store', 'only-if-cached', 'x'),
      fc.option(fc.oneof(fc.nat().map(String), fc.string())),
    );
    const header = fc
      .array(directive)
      .map((all) => all.map(([name, value]) => (value === null ? name : `${name}=${value}`)).join(','));
    fc.assert(
      fc.property(fc.oneof(header, fc.string()), (text) => {
        expect(answer(text, RETENTION + 1)).not.toContain('hit');
      }),
    );
  });
});
