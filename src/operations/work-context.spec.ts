import { expect, it } from '@jest/globals';
import { exemplarOf } from './work-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

it.each([
  ['01', true],
  ['03', true],
  ['00', false],
  ['02', false],
  ['10', false],
])('a trace with the flags %s is kept: %s', (flags, kept) => {
  expect(exemplarOf(`00-${TRACE}-b7ad6b7169203331-${flags}`)).toEqual(kept ? { trace_id: TRACE } : {});
});
