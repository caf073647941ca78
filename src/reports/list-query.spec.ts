import { expect, it } from '@jest/globals';
import { readListQuery } from './list-query.js';

it.each<[string, number]>([
  ['1719792000000', 1_719_792_000_000],
  ['2024-07-01', Date.UTC(2024, 6, 1)],
  ['2024-07-01T10:00', Date.UTC(2024, 6, 1, 10)],
  ['2024-07-01T10:00:30.5', Date.UTC(2024, 6, 1, 10, 0, 30, 500)],
  ['2024-07-01T10:00:00Z', Date.UTC(2024, 6, 1, 10)],
  ['2024-07-01T10:00:00+10:00', Date.UTC(2024, 6, 1)],
])('the moment %s is the same on every machine', (text, milliseconds) => {
  expect(readListQuery({ createdSince: text }).filter.createdSince).toBe(milliseconds);
});

it.each([
  '2024-13-01',
  '2024-02-30',
  '2023-02-29T10:00Z',
  '2024-07-01T',
  '2024-07-01T10',
  '2024-07-01T10:00 GMT+1',
  '1 July 2024',
  '-1',
  '',
])('%s is no moment', (text) => {
  expect(() => readListQuery({ createdSince: text })).toThrow('createdSince must be');
});
