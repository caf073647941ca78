import { expect, it } from '@jest/globals';
import { Catalogue } from './catalogue.js';

/**
 * What callers have been told of deprecated types, in Deprecation and Sunset headers and on /docs/deprecations. A line is
 * added when a type is deprecated and gets its sunset when one is announced; a sunset may only move to a later day, and a
 * line goes when its day has passed and the type with it (RFC 8594, http-api 9).
 */
const ANNOUNCED: Readonly<Record<string, { replacedBy: string; deprecatedSince: string; sunset?: string }>> =
  {
    'livestock-reconciliation.v1': {
      replacedBy: 'livestock-reconciliation.v3',
      deprecatedSince: '2025-07-01',
    },
    'livestock-reconciliation.v2': {
      replacedBy: 'livestock-reconciliation.v3',
      deprecatedSince: '2025-07-01',
    },
  };

it('deprecated types are as they were announced, and none ends earlier', async () => {
  const { entries } = await Catalogue.load(import.meta.dirname);
  const deprecated = entries
    .map(({ declaration }) => declaration)
    .filter(({ replacedBy }) => replacedBy !== undefined);
  expect(deprecated.map(({ type }) => type).sort()).toEqual(Object.keys(ANNOUNCED).sort());
  for (const { type, replacedBy, deprecatedSince, sunset } of deprecated) {
    const told = ANNOUNCED[type];
    expect([type, replacedBy, deprecatedSince]).toEqual([type, told?.replacedBy, told?.deprecatedSince]);
    expect(`${type} ${sunset ?? 'not planned'}` >= `${type} ${told?.sunset ?? 'not planned'}`).toBe(true);
  }
});
