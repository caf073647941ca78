import { expect, it } from '@jest/globals';
import { acceptedType } from './accept.js';

it.each<[string | undefined, string | undefined]>([
  [undefined, 'text/csv'],
  ['', 'text/csv'],
  ['*/*', 'text/csv'],
  ['application/json', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['Application/JSON;Charset="utf-8"', 'application/json'],
  ['application/json;odata="a,b;c";q=0.4, text/csv;q=0.5', 'text/csv'],
  ['text/csv;header=absent;q=0.1, application/json', 'application/json'],
  ['text/csv;q=0, */*', 'application/json'],
  ['text/csv; q=0.3; ext=1, application/json; q=0.2', 'text/csv'],
  ['text/*;level', 'text/csv'],
  ['image/png', undefined],
  ['text/csv;q=0', undefined],
  [';;;', undefined],
])('of CSV and JSON, Accept: %s takes %s', (accept, type) => {
  expect(acceptedType(accept, ['text/csv', 'application/json'])).toBe(type);
});
