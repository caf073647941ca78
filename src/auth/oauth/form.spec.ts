import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decode, parseForm } from './form.js';

const LIMITS = { code: 10, scope: 20 };
const read = (body: string | Buffer) => {
  const form = parseForm(body, LIMITS);
  return { code: form.get('code'), scope: form.get('scope'), faults: Object.fromEntries(form.faults) };
};

describe('a form', () => {
  it('is decoded: percent signs, plus signs, UTF-8', () => {
    expect(read('code=a%2Bb+c&scope=%C3%A9')).toEqual({ code: 'a+b c', scope: 'é', faults: {} });
  });

  it('may encode the names and what needs no encoding', () => {
    expect(read('%63ode=%2D%5F')).toMatchObject({ code: '-_' });
  });

  it('takes an empty parameter for an absent one', () => {
    expect(read('code=&scope')).toEqual({ code: undefined, scope: undefined, faults: {} });
  });

  it.each([
    ['code=%', 'malformed'],
    ['code=%4', 'malformed'],
    ['code=%zz', 'malformed'],
    ['code=%u0041', 'malformed'],
    ['code=%ff', 'malformed'],
    ['code=%c0%80', 'malformed'],
    ['code=%ed%a0%80', 'malformed'],
    ['code=%00', 'malformed'],
    ['code=a%0Ab', 'malformed'],
    ['code=%C2%85', 'malformed'],
    ['code=a&code=a', 'repeated'],
    ['code=&code=a', 'repeated'],
    ['code=a&%63ode=b', 'repeated'],
    ['code=12345678901', 'too-long'],
  ])('%s is %s', (body, fault) => {
    expect(read(body)).toMatchObject({ code: undefined, faults: { code: fault } });
  });

  it.each([
    'x=%zz',
    'a[b]=1&a[b]=2',
    '__proto__=1',
    'constructor=%00',
    '%zz=1',
    'code[]=1',
    '&&=&',
    'toString=1&toString=2',
  ])('is not spoilt by %s', (noise) => {
    expect(read(`${noise}&code=a&${noise}`)).toEqual({ code: 'a', scope: undefined, faults: {} });
  });

  it('counts characters, not bytes', () => {
    expect(read(`code=${encodeURIComponent('é'.repeat(10))}`)).toMatchObject({ faults: {} });
  });

  it('of random bytes is read or found faulty, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const { code = '', scope = '' } = read(Buffer.from(bytes));
        expect(code.length <= 10 && scope.length <= 20).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives back what URLSearchParams or encodeURIComponent wrote', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 10 })
      .filter((value) => !/\p{Cc}|\p{Cs}/u.test(value));
    fc.assert(
      fc.property(text, (value) => {
        expect(read(new URLSearchParams({ code: value }).toString())).toMatchObject({ code: value });
        expect(decode(encodeURIComponent(value))).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });
});
