import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Conformance, TestFarms } from 'muster/kit/testing';
import { WoolClip } from './wool-clip.generator.js';

const farms = await TestFarms.open();
const conformance = new Conformance(farms);
const promises = await conformance.tests(new URL('./wool-clip.generator.js', import.meta.url));
after(() => conformance.close());

describe('Wool clip', () => {
  it('shows what every mob would cut', async () => {
    const line = (mobId: string, ageClass: string, head: number) => ({
      species: 'Sheep',
      mobId,
      ageClass,
      head,
    });
    const farm = await farms.farm([
      { resourceType: 'Mob', id: 'm1', name: 'River mob', species: 'Sheep' },
      {
        resourceType: 'OpeningStock',
        date: '2024-07-01',
        lines: [line('m1', 'ewe', 120), line('m1', 'wether', 10), line('m2', 'ram', 3)],
      },
    ]);
    const { rows, warnings } = await farm.report(WoolClip, '2024-07-01', '2025-06-30');
    assert.deepEqual(rows, [
      {
        row_type: 'detail',
        mob: 'River mob',
        age_class: 'ewe',
        head: 120,
        kg_per_head: '4.5',
        wool_kg: '540.0',
      },
      {
        row_type: 'detail',
        mob: 'River mob',
        age_class: 'wether',
        head: 10,
        kg_per_head: '5.2',
        wool_kg: '52.0',
      },
      { row_type: 'detail', mob: 'm2', age_class: 'ram', head: 3 },
      { row_type: 'total', head: 133, wool_kg: '592.0' },
    ]);
    assert.deepEqual(warnings, ['ram: no fleece weight is known.']);
  });
});

describe('What every report type promises', () => {
  for (const { name, run } of promises) it(name, run);
});
