import { describe, expect, it } from '@jest/globals';
import { Upcasters } from './upcasters.js';

describe('upcasters', () => {
  const upcasters = new Upcasters();
  upcasters.register('GateOpened', [
    ({ who, ...rest }) => ({ ...rest, by: who }),
    (data) => ({ ...data, wide: data.wide ?? false }),
  ]);

  it.each([
    ['of the first version by every step', 1, { who: 'Ada' }, { by: 'Ada', wide: false }],
    ['of a later version by the steps it lacks', 2, { by: 'Ada' }, { by: 'Ada', wide: false }],
    ['of the newest version by none', 3, { by: 'Ada', wide: true }, { by: 'Ada', wide: true }],
    ['of a newer release by none', 4, { by: 'Ada', colour: 'red' }, { by: 'Ada', colour: 'red' }],
  ])('lift data %s', (_, version, stored, lifted) => {
    expect(upcasters.lift('GateOpened', version, stored)).toEqual(lifted);
  });

  it('leave a type alone that never changed', () => {
    expect(upcasters.lift('GateClosed', 1, { by: 'Ada' })).toEqual({ by: 'Ada' });
    expect(upcasters.currentVersion('GateClosed')).toBe(1);
  });

  it('say in which version new events are written', () => {
    expect(upcasters.currentVersion('GateOpened')).toBe(3);
  });

  it('are registered once a type', () => {
    expect(() => upcasters.register('GateOpened', [])).toThrow('registered twice');
  });
});
