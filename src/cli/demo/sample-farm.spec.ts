import { expect, it } from '@jest/globals';
import { type FarmRecord, SAMPLE_FARM, sampleFarmRecords } from './sample-farm.js';

const records = sampleFarmRecords();

it('tells the same story every time, to the byte', () => {
  expect(JSON.stringify(sampleFarmRecords())).toBe(JSON.stringify(records));
});

it('tells another story from another seed', () => {
  expect(JSON.stringify(sampleFarmRecords(7))).not.toBe(JSON.stringify(records));
});

it('tells several hundred records of two years, each with an id of its own', () => {
  expect(records.length).toBeGreaterThan(500);
  expect(records.length).toBeLessThan(1000);
  const ids = records.map(({ meta }) => (meta as { sourceId: string }).sourceId);
  expect(new Set(ids).size).toBe(ids.length);
  const days = records.map(momentOf).filter((moment) => moment !== undefined);
  expect(days.toSorted()[0]).toMatch(/^2024-07-01/);
  expect(days.toSorted().at(-1)).toMatch(/^2026-06/);
});

it.each([undefined, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'never takes out more head than there are (seed %s)',
  (seed) => {
    const book = new Replay(sampleFarmRecords(seed));
    expect(book.lowest).toBeGreaterThanOrEqual(0);
    expect(book.head('Sheep')).toBeGreaterThan(1500);
    expect(book.head('Cattle')).toBeGreaterThan(150);
  },
);

/** Records are read as a stranger would. */
type Loose = any;

/** Farm-local, so that days and instants sort together; undefined for what stands whatever the day. */
function momentOf(record: FarmRecord): string | undefined {
  const { date, eventDateTime } = record as { date?: string; eventDateTime?: string };
  if (eventDateTime?.endsWith('Z'))
    return Temporal.Instant.from(eventDateTime)
      .toZonedDateTimeISO(SAMPLE_FARM.timeZone)
      .toString()
      .slice(0, 16);
  return date ?? eventDateTime;
}

/** Which comes first of what happens at one moment, by reports.md: what adds head before what takes it. */
const ORDER = [
  /Opening/,
  /Birth/,
  /Arrival/,
  /Transfer|Join|Leave/,
  /Reclassification/,
  /Departure/,
  /Death/,
  /Count/,
];

/** A book of its own, kept from the records alone. */
class Replay {
  lowest = 0;
  private readonly lots = new Map<string, number>();
  private readonly animals = new Map<string, { mob: string; lot: string }>();

  constructor(story: readonly FarmRecord[]) {
    const happened = story
      .map((record) => ({ record, key: `${momentOf(record) ?? ''} ${rankOf(record)}` }))
      .filter(({ key }) => !key.startsWith(' '))
      .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    for (const { record } of happened) this.book(record);
  }

  head(species: string): number {
    return [...this.lots].reduce((sum, [lot, head]) => sum + (lot.split('|')[1] === species ? head : 0), 0);
  }

  private add(mob: string, lot: string, head: number): void {
    const left = (this.lots.get(`${mob}|${lot}`) ?? 0) + head;
    this.lots.set(`${mob}|${lot}`, left);
    this.lowest = Math.min(this.lowest, left);
  }

  private book(record: Loose): void {
    const {
      resourceType: type,
      ext = {},
      animal,
      inventoryClassification: group,
      registrationReason,
    } = record;
    const claimed = lotOf({ species: group?.species ?? 'Cattle', ...ext });
    if (type === 'OpeningStock')
      for (const line of record.lines) this.add(line.mobId, lotOf(line), line.head);
    else if (type === 'MobTransfer') this.transfer(record);
    else if (type === 'Reclassification') this.reclassify(record);
    else if (/Join|Leave/.test(type))
      this.regroup(animal.id, type.includes('Join') ? record.animalSetId : '');
    else if (registrationReason === 'Registered')
      this.animals.set(animal.id, { mob: ext.mobId, lot: claimed });
    else if (/GroupMovement(Birth|Arrival)/.test(type)) this.add(ext.mobId, claimed, group.count);
    else if (/GroupMovement(Departure|Death)/.test(type)) this.add(ext.mobId, claimed, -group.count);
    else if (/Movement(Birth|Arrival)/.test(type)) this.come(animal.id, ext.mobId, claimed);
    else if (/Movement(Departure|Death)/.test(type)) this.go(animal.id);
  }

  private transfer({ from, to }: Loose): void {
    for (const line of to) {
      this.add(from.mobId, lotOf(line), -line.head);
      this.add(line.mobId, lotOf(line), line.head);
    }
  }

  private reclassify({ mobId, head, animals = [], species, from, to }: Loose): void {
    if (mobId !== undefined) {
      this.add(mobId, lotOf({ species, ...from }), -head);
      this.add(mobId, lotOf({ species, ...to }), head);
    }
    for (const { id } of animals) {
      const { mob, lot } = this.of(id);
      expect(lot).toBe(lotOf({ species, ...from }));
      this.go(id);
      this.come(id, mob, lotOf({ species, ...to }));
    }
  }

  private regroup(id: string, mob: string): void {
    const { lot } = this.of(id);
    this.go(id);
    this.come(id, mob, lot);
  }

  private come(id: string, mob: string, lot: string): void {
    expect(this.animals.has(id)).toBe(false);
    this.animals.set(id, { mob, lot });
    this.add(mob, lot, 1);
  }

  private go(id: string): void {
    const { mob, lot } = this.of(id);
    this.animals.delete(id);
    this.add(mob, lot, -1);
  }

  private of(id: string): { mob: string; lot: string } {
    const found = this.animals.get(id);
    if (!found) throw new Error(`${id} is not on the farm`);
    return found;
  }
}

function lotOf({ species, enterpriseId, ageClass }: Loose): string {
  return [species, enterpriseId, ageClass].join('|');
}

function rankOf({ resourceType }: FarmRecord): number {
  const rank = ORDER.findIndex((kind) => kind.test(resourceType));
  return rank === -1 ? 5 : rank;
}
