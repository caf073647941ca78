import { expect, it } from '@jest/globals';
import { LAST_DAY } from '../farm-records/reader.js';
import { withRecords } from './thread-task.js';

it('a period to the end of time ends with the last day that a record can have', () => {
  const period = { start: '1970-01-01', end: '+275760-09-13', timeZone: 'UTC' };
  expect(withRecords(period)).toEqual({ ...period, end: LAST_DAY });
});
