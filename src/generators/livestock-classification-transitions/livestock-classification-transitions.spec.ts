import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Ledger, meta, openLedger } from '../../../test/farm-records-ledger.js';
import { columnsOf, reportOf, type ShownReport } from '../../../test/report-type-rows.js';
import { LivestockClassificationTransitions } from './livestock-classification-transitions.generator.js';

let ledger: Ledger;

beforeAll(async () => (ledger = await openLedger()));
afterAll(() => ledger?.close());

async function transitions(records: readonly object[]): Promise<ShownReport> {
  const id = await ledger.farmWith([...herd, ...records]);
  return reportOf(ledger, id, LivestockClassificationTransitions, '2024-07-01', '2025-06-30');
}

const tag = (id: string) => ({ scheme: 'nlis', id });
const herd = [
  {
    resourceType: 'OpeningStock',
    id: 'o',
    ...meta('o'),
    date: '2024-07-01',
    lines: [{ species: 'Sheep', enterpriseId: 'wool', ageClass: 'lamb', mobId: 'm1', head: 100 }],
  },
  { resourceType: 'Enterprise', id: 'wool', ...meta('e'), name: 'Wool' },
  ...['t1', 't2'].map((id) => ({
    resourceType: 'icarMovementBirthEventResource',
    id,
    ...meta(id),
    eventDateTime: '2024-07-02T02:00:00Z',
    registrationReason: 'Born',
    animal: tag(id),
    animalDetail: { identifier: tag(id), specie: 'Sheep' },
    ext: { mobId: 'm1', enterpriseId: 'wool', ageClass: 'lamb' },
  })),
];
const change = (
  id: string,
  eventDateTime: string,
  who: object,
  from: object,
  to: object,
  cause?: string,
) => ({
  resourceType: 'Reclassification',
  id,
  ...meta(id),
  eventDateTime,
  species: 'Sheep',
  ...who,
  from,
  to,
  ...(cause && { cause }),
});
const [lamb, hogget] = [{ ageClass: 'lamb' }, { ageClass: 'hogget' }];
const SHOWN = [
  'date',
  'from_age_class',
  'to_age_class',
  'kind',
  'head',
  'head_mob',
  'head_individual',
  'cause',
];

it('unifies mobs and individually managed stock, a row a day and pair', async () => {
  const report = await transitions([
    change('r1', '2024-12-01T02:00:00Z', { mobId: 'm1', head: 30 }, lamb, hogget, 'age'),
    change('r2', '2024-12-01T03:00:00Z', { animals: [tag('t1')] }, lamb, hogget, 'weight'),
  ]);
  expect(report.rows).toEqual([
    {
      row_type: 'detail',
      date: '2024-12-01',
      species: 'Sheep',
      from_age_class: 'lamb',
      from_enterprise: 'Wool',
      from_enterprise_id: 'wool',
      to_age_class: 'hogget',
      to_enterprise: 'Wool',
      to_enterprise_id: 'wool',
      kind: 'age_class',
      head: 31,
      head_mob: 30,
      head_individual: 1,
      cause: 'age; weight',
    },
    { row_type: 'total', head: 31, head_mob: 30, head_individual: 1 },
  ]);
});

it('counts an animal by its net change over the local day', async () => {
  const there = change('r1', '2024-12-01T01:00:00Z', { animals: [tag('t1')] }, lamb, hogget);
  const back = change('r2', '2024-12-01T03:00:00Z', { animals: [tag('t1')] }, hogget, lamb);
  expect((await transitions([there, back])).rows).toEqual([]);
  const nextDay = { ...back, eventDateTime: '2024-12-01T13:30:00Z' };
  expect(columnsOf(await transitions([there, nextDay]), SHOWN)).toEqual([
    ['2024-12-01', 'lamb', 'hogget', 'age_class', 1, 0, 1, null],
    ['2024-12-02', 'hogget', 'lamb', 'age_class', 1, 0, 1, null],
  ]);
});

it('nets out an exact reverse inside one mob on one day', async () => {
  const report = await transitions([
    change('r1', '2024-12-01T01:00:00Z', { mobId: 'm1', head: 30 }, lamb, hogget),
    change('r2', '2024-12-01T03:00:00Z', { mobId: 'm1', head: 10 }, hogget, lamb),
  ]);
  expect(columnsOf(report, SHOWN)).toEqual([['2024-12-01', 'lamb', 'hogget', 'age_class', 20, 20, 0, null]]);
});

it('tells a change of the enterprise from one of both', async () => {
  const report = await transitions([
    change('r1', '2024-12-01T01:00:00Z', { mobId: 'm1', head: 5 }, lamb, { enterpriseId: 'meat' }),
    change(
      'r2',
      '2024-12-02T01:00:00Z',
      { mobId: 'm1', head: 6 },
      { ...lamb, enterpriseId: 'wool' },
      { ...hogget, enterpriseId: 'meat' },
    ),
  ]);
  expect(columnsOf(report, ['to_age_class', 'to_enterprise', 'kind', 'head'])).toEqual([
    ['lamb', 'meat', 'enterprise', 5],
    ['hogget', 'meat', 'both', 6],
  ]);
});

it('takes births, deaths, splits and tagging for no transition', async () => {
  const split = {
    resourceType: 'MobTransfer',
    id: 'x',
    ...meta('x'),
    date: '2024-12-01',
    from: { mobId: 'm1' },
    to: [{ mobId: 'm2', head: 40 }],
  };
  expect((await transitions([split])).rows).toEqual([]);
});
