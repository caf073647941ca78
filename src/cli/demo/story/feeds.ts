import { type Diary, instant, plusDays } from './diary.js';

export interface Feed {
  readonly id: string;
  readonly name: string;
  readonly category: 'Roughage' | 'Concentrate';
  /** Dollars per `unit`. */
  readonly cost: string;
  readonly unit: 'TNE' | 'bale';
  readonly dryMatterPct: string;
  readonly whpDays?: number;
}

export const BARLEY: Feed = {
  id: 'barley',
  name: 'Feed barley',
  category: 'Concentrate',
  cost: '348.00',
  unit: 'TNE',
  dryMatterPct: '89.5',
};
export const LUCERNE_HAY: Feed = {
  id: 'lucerne-hay',
  name: 'Lucerne hay',
  category: 'Roughage',
  cost: '315.00',
  unit: 'TNE',
  dryMatterPct: '88',
};
export const OATEN_HAY: Feed = {
  id: 'oaten-hay',
  name: 'Oaten hay, large squares',
  category: 'Roughage',
  cost: '128.00',
  unit: 'bale',
  dryMatterPct: '87',
};
/** Hulls from sprayed orchards: stock must be off them before they go. */
export const ALMOND_HULLS: Feed = {
  id: 'almond-hulls',
  name: 'Almond hulls',
  category: 'Roughage',
  cost: '265.00',
  unit: 'TNE',
  dryMatterPct: '90.5',
  whpDays: 60,
};

export function declareFeeds(diary: Diary): void {
  for (const { id, name, category, cost, unit, dryMatterPct, whpDays } of [
    BARLEY,
    LUCERNE_HAY,
    OATEN_HAY,
    ALMOND_HULLS,
  ])
    diary.declare('icarFeedResource', id, {
      name,
      category,
      active: true,
      ext: {
        unitCost: { amount: cost, currency: 'AUD', unit },
        dryMatterPct,
        ...(whpDays !== undefined && { whpDays }),
      },
    });
}

export interface FedOut {
  readonly feed: Feed;
  readonly batch: string;
  /** Kilograms (or bales) for each head, or for the whole mob. */
  readonly perHead?: number;
  readonly total?: number;
  /** Days that the feed lasts, the first included; one when it is eaten at once. */
  readonly lasts?: number;
}

/** Feed given to a whole mob, whatever stands in it. */
export function feedOut(diary: Diary, mob: string, { feed, batch, perHead, total, lasts }: FedOut): void {
  if (diary.book.headOf(mob) === 0) return;
  const unitCode = feed.unit === 'TNE' ? 'KGM' : feed.unit;
  const fed = (value: number) => [
    { feedId: { scheme: 'feed', id: feed.id }, feedConsumption: { unitCode, value } },
  ];
  diary.event('icarGroupFeedingEventResource', `feeding-${feed.id}-${mob}`, {
    groupMethod: 'ExistingAnimalSet',
    animalSetReference: { identifier: { scheme: 'mob', id: mob } },
    ...(lasts && { feedingEndDateTime: instant(`${plusDays(diary.today, lasts)}T08:00`) }),
    ...(perHead !== undefined && { feedPerAnimal: fed(perHead) }),
    ...(total !== undefined && { feedTotal: fed(total) }),
    ext: { mobId: mob, batch },
  });
}

/** What a self-feeder saw one animal eat, in kilograms. */
export function ateAlone(diary: Diary, animal: object, id: string, feed: Feed, kilograms: number): void {
  diary.event('icarFeedIntakeEventResource', `intake-${feed.id}-${id}`, {
    animal,
    feedingStartingDateTime: instant(`${diary.today}T07:00`),
    feedVisitDuration: { unitCode: 'MIN', value: 35 },
    consumedFeed: [
      { feedId: { scheme: 'feed', id: feed.id }, feedConsumption: { unitCode: 'KGM', value: kilograms } },
    ],
    ext: { batch: 'silo-2' },
  });
}

/** Feed that others buy; a negative quantity comes back. */
export function sellFeed(diary: Diary, feed: Feed, sale: object): void {
  diary.note('FeedSale', `feed-sale-${feed.id}`, { feedId: feed.id, ...sale });
}
