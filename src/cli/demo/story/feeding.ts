import { type Diary, plusDays } from './diary.js';
import { ALMOND_HULLS, BARLEY, type FedOut, feedOut, LUCERNE_HAY, OATEN_HAY, sellFeed } from './feeds.js';
import { MERINO_EWE } from './kinds.js';

/** Hay for the cows in winter, hand-feeding through the dry autumn of 2026, and the feed that is sold in good years. */
export function tellOfFeed(diary: Diary): void {
  every(diary, 14, '2024-07-09', '2024-08-20', 'cows', {
    feed: OATEN_HAY,
    batch: 'stack-23',
    total: 12,
    lasts: 4,
  });
  every(diary, 14, '2025-06-03', '2025-08-12', 'cows', {
    feed: OATEN_HAY,
    batch: 'stack-24',
    total: 14,
    lasts: 4,
  });
  every(diary, 7, '2025-04-01', '2025-05-20', 'merino-weaners', {
    feed: BARLEY,
    batch: 'silo-1',
    perHead: 1.4,
  });
  every(diary, 7, '2026-02-10', '2026-06-02', 'merino-ewes', { feed: BARLEY, batch: 'silo-2', perHead: 2.1 });
  every(diary, 7, '2026-03-03', '2026-05-26', 'lamb-ewes', { feed: BARLEY, batch: 'silo-2', perHead: 3.9 });
  every(diary, 14, '2026-03-05', '2026-05-28', 'lamb-ewes', {
    feed: LUCERNE_HAY,
    batch: 'stack-25',
    total: 860,
  });
  every(diary, 7, '2026-02-18', '2026-05-27', 'cows', {
    feed: OATEN_HAY,
    batch: 'stack-25',
    total: 16,
    lasts: 5,
  });
  every(diary, 7, '2026-06-02', '2026-06-30', 'steers', {
    feed: ALMOND_HULLS,
    batch: 'load-118',
    total: 1900,
  });
  tellOfOneDrumOfSheepNuts(diary);
  tellOfSales(diary);
}

function every(diary: Diary, days: number, from: string, to: string, mob: string, fed: FedOut): void {
  for (let day = from; day <= to; day = plusDays(day, days))
    diary.on(`${day}T08:00`, () => feedOut(diary, mob, fed));
}

/** A feed nobody declared, bought in bags at another price than usual: the feeding says what it cost itself. */
function tellOfOneDrumOfSheepNuts(diary: Diary): void {
  diary.on('2026-05-08T08:00', () =>
    diary.event('icarGroupFeedingEventResource', 'feeding-sheep-nuts-merino-ewes', {
      groupMethod: 'ExistingAnimalSet',
      animalSetReference: { identifier: { scheme: 'mob', id: 'merino-ewes' } },
      inventoryClassification: {
        name: 'ewe',
        species: 'Sheep',
        count: diary.book.head('merino-ewes', MERINO_EWE),
      },
      feedTotal: [
        {
          feedId: { scheme: 'feed', id: 'sheep-nuts' },
          feedConsumption: { unitCode: 'bag', value: 42 },
          dryMatterPercentage: 90,
        },
      ],
      ext: {
        mobId: 'merino-ewes',
        batch: 'pallet-7',
        unitCost: { amount: '21.40', currency: 'AUD', unit: 'bag' },
      },
    }),
  );
}

function tellOfSales(diary: Diary): void {
  const neighbour = 'Hartnett Bros';
  const perUnit = (amount: string) => ({ amount, currency: 'AUD', basis: 'perUnit' });
  const sale = (day: string, feed: typeof BARLEY, body: object) =>
    diary.on(`${day}T11:00`, () => sellFeed(diary, feed, body));
  sale('2024-12-11', OATEN_HAY, {
    ...{ batch: 'stack-24', quantity: '140', unit: 'bale', price: perUnit('92.00') },
    ...{ freight: '420.00', fees: [], tax: '1288.00', buyer: neighbour, reference: 'INV-0117' },
  });
  sale('2025-01-22', LUCERNE_HAY, {
    ...{ batch: 'cut-2', quantity: '34.62', unit: 'TNE', price: perUnit('295.00') },
    ...{ freight: '0.00', fees: [{ kind: 'weighbridge', amount: '28.00' }], tax: '1021.29' },
    ...{ buyer: 'Tarrawonga Pastoral', reference: 'INV-0121' },
  });
  sale('2025-12-03', OATEN_HAY, {
    ...{ batch: 'stack-25', quantity: '96', unit: 'bale', price: perUnit('118.00') },
    ...{ freight: '312.00', fees: [], tax: '1132.80', buyer: neighbour, reference: 'INV-0148' },
  });
  sale('2025-12-17', LUCERNE_HAY, {
    ...{ batch: 'cut-1', quantity: '21.4', unit: 'TNE', price: perUnit('338.00') },
    ...{ freight: '385.00', fees: [{ kind: 'weighbridge', amount: '28.00' }], tax: '723.32' },
    ...{ buyer: 'Old Junction Station', reference: 'INV-0150' },
  });
  // Four bales were wet inside: they come back, and so does their price.
  sale('2025-12-19', OATEN_HAY, {
    ...{ batch: 'stack-25', quantity: '-4', unit: 'bale', price: perUnit('118.00') },
    ...{ fees: [], tax: '-47.20', buyer: neighbour, reference: 'INV-0148-C' },
  });
  sale('2026-01-13', BARLEY, {
    ...{
      batch: 'silo-3',
      quantity: '62.3',
      unit: 'TNE',
      price: { amount: '21500.00', currency: 'AUD', basis: 'total' },
    },
    ...{ freight: '1246.00', fees: [{ kind: 'brokerage', amount: '124.60' }], tax: '2150.00' },
    ...{ buyer: 'Central West Grain', reference: 'CONTRACT-8841' },
  });
  tellOfTheHayShed(diary);
}

/** Feed that comes and goes without being a sale of the farm's, and one load sold straight out of the store. */
function tellOfTheHayShed(diary: Diary): void {
  const move = (kind: string, feed: typeof BARLEY, units: string, quantity: number, body: object) =>
    diary.event('icarFeedTransactionResource', `${kind.toLowerCase()}-${feed.id}`, {
      transactionKind: kind,
      product: { identifier: { scheme: 'feed', id: feed.id }, family: 'Animal Feeds', name: feed.name },
      quantity,
      units,
      ...body,
    });
  diary.on('2025-11-10T17:00', () => move('Produce', OATEN_HAY, 'bale', 410, {}));
  diary.on('2025-12-09T17:00', () => move('Produce', BARLEY, 'TNE', 214.6, {}));
  diary.on('2026-03-18T09:00', () =>
    move('Disposal', OATEN_HAY, 'bale', 7, { remark: 'Spoilt by rain, burnt' }),
  );
  diary.on('2026-05-29T14:00', () =>
    move('Receipt', ALMOND_HULLS, 'TNE', 28.1, {
      supplierName: 'Riverina Hulls',
      totalCost: 7446.5,
      currency: 'AUD',
    }),
  );
  diary.on('2026-06-04T10:00', () =>
    move('Disposal', ALMOND_HULLS, 'TNE', 8.5, {
      ...{ totalCost: 2337.5, currency: 'AUD' },
      ext: { buyer: 'R. Dunphy', batch: 'load-118', reference: 'INV-0163' },
    }),
  );
}
