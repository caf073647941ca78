import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

const NOW = Date.UTC(2026, 6, 1);
const MINUTE = 60_000;

/** The farms of some reports, asked for at these moments, in the order in which they are made when nobody is in between. */
function order(asked: [farm: string, at: number][]): string[] {
  const turns = new Turns();
  return asked
    .map(([farm, at]) => ({ farm, at, priority: turns.next(farm, at) }))
    .sort((one, other) => other.priority - one.priority || one.at - other.at)
    .map(({ farm }) => farm);
}

describe('turns', () => {
  it('are those of arrival while every farm asks for one', () => {
    expect(
      order([
        ['a', NOW],
        ['b', NOW + 1],
        ['c', NOW + 2],
      ]),
    ).toEqual(['a', 'b', 'c']);
  });

  it('let a farm with one report pass a farm with many', () => {
    expect(
      order([
        ['flood', NOW],
        ['flood', NOW],
        ['flood', NOW],
        ['one', NOW + 1],
      ]),
    ).toEqual(['flood', 'one', 'flood', 'flood']);
  });

  it('alternate between two farms with many', () => {
    const both = order([
      ['a', NOW],
      ['a', NOW],
      ['a', NOW],
      ['b', NOW + 1],
      ['b', NOW + 1],
      ['b', NOW + 1],
    ]);
    expect(both).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  });

  it('come for the farm with many too, whoever asks meanwhile', () => {
    const asked: [string, number][] = [
      ['flood', NOW],
      ['flood', NOW],
    ];
    for (let minute = 0; minute < 3; minute++) asked.push([`light-${minute}`, NOW + minute * MINUTE + 1]);
    expect(order(asked)).toEqual(['flood', 'light-0', 'flood', 'light-1', 'light-2']);
  });

  it('are given back by a pause', () => {
    const turns = new Turns();
    for (let n = 0; n < 5; n++) turns.next('flood', NOW);
    expect(turns.next('flood', NOW + 10 * MINUTE)).toBe(turns.next('other', NOW + 10 * MINUTE));
  });

  it('fit the priority of a job', () => {
    expect(new Turns().next('farm', Date.UTC(2090, 0, 1))).toBeGreaterThan(-(2 ** 31));
  });
});
