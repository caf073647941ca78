import { ANTIBIOTIC, CATTLE_POUR_ON, treatMob } from './care.js';
import { type Diary, FINANCIAL_YEARS, plusDays } from './diary.js';
import { moveTo, rotate } from './grazing.js';
import { born, draft, reclassify } from './head-changes.js';
import { CALF, COW, HEIFER, STEER } from './kinds.js';
import { loseSome } from './losses.js';
import { AGENT, MEATWORKS, SALEYARD, STEER_BREEDER } from './parties.js';
import { buy, overTheHooks, saleyard, sell } from './trades.js';

const PRICES = {
  2024: { cow: '2.62', heifer: '3.18', finished: '3.42', store: '3.65' },
  2025: { cow: '3.05', heifer: '3.70', finished: '4.08', store: '4.22' },
} as const;

/** Beef cows that calve in August, and steers, bred and bought, grown out and sold by live weight. */
export function tellOfCattle(diary: Diary): void {
  rotate(diary, 'cows', ['river-flat', 'creek', 'boundary'], 7);
  rotate(diary, 'steers', ['top-ridge', 'boundary'], 8);
  rotate(diary, 'heifers', ['boundary', 'river-flat'], 11);
  loseSome(diary, 'cows', COW, 2);
  loseSome(diary, 'cows', CALF, 2.5);
  loseSome(diary, 'steers', STEER, 1.5);
  for (const year of FINANCIAL_YEARS) {
    tellOfCalves(diary, year);
    tellOfCulls(diary, year);
    tellOfSteers(diary, year);
  }
  diary.on('2024-08-01', () =>
    reclassify(diary, { mob: 'heifers', kind: HEIFER, head: 23 }, COW, 'First calf at foot'),
  );
  diary.on('2024-08-02', () => draft(diary, 'heifers', [{ mob: 'cows', kind: COW, head: 23 }]));
}

function tellOfCalves(diary: Diary, year: 2024 | 2025): void {
  const share = (of: number) => Math.round(diary.book.head('cows', COW) * diary.chance.near(of, 0.05));
  diary.on(`${year}-08-20`, () => born(diary, { mob: 'cows', kind: CALF, head: share(0.5) }));
  diary.on(`${year}-09-16`, () => born(diary, { mob: 'cows', kind: CALF, head: share(0.38) }));
  diary.on(`${year + 1}-03-05`, () => {
    const head = diary.book.head('cows', CALF);
    draft(diary, 'cows', [{ mob: 'weaners', kind: CALF, head }]);
  });
  diary.on(`${year + 1}-03-06`, () => moveTo(diary, 'weaners', 'shelter'));
  diary.on(`${year + 1}-03-20`, () => {
    const calves = diary.book.head('weaners', CALF);
    const males = Math.round(calves * 0.48);
    reclassify(diary, { mob: 'weaners', kind: CALF, head: males }, STEER, 'Weaned, to be grown out');
    reclassify(diary, { mob: 'weaners', kind: CALF, head: calves - males }, HEIFER, 'Weaned');
  });
  diary.on(`${year + 1}-03-25`, () =>
    draft(diary, 'weaners', [{ mob: 'steers', kind: STEER, head: diary.book.head('weaners', STEER) }]),
  );
  diary.on(`${year + 1}-04-09T09:50`, () => {
    const lot = { mob: 'weaners', kind: HEIFER, head: diary.book.head('weaners', HEIFER) - 18 };
    const weight = { value: '248', type: 'live' as const };
    const reference = `CAR-${year + 1}-0409`;
    sell(
      diary,
      lot,
      SALEYARD,
      saleyard({ price: PRICES[year].heifer, basis: 'perKg', weight, reference }, lot),
    );
  });
  diary.on(`${year + 1}-04-16`, () =>
    draft(diary, 'weaners', [{ mob: 'heifers', kind: HEIFER, head: diary.book.head('weaners', HEIFER) }]),
  );
}

function tellOfCulls(diary: Diary, year: 2024 | 2025): void {
  diary.on(`${year + 1}-05-14T08:15`, () =>
    treatMob(diary, 'cows', COW, {
      medicine: CATTLE_POUR_ON,
      dose: 55,
      batch: { identifier: `TP-${year}-90`, expiryDate: `${year + 2}-02-28` },
      procedure: 'Pour-on',
      reason: 'Lice and worms',
    }),
  );
  // The dry autumn makes the second year's cull a big one, and an early one.
  const cull = year === 2024 ? { day: '2025-04-02', head: 15 } : { day: '2026-02-24', head: 29 };
  diary.on(`${cull.day}T12:20`, () => {
    const lot = { mob: 'cows', kind: COW, head: cull.head };
    const weight = { value: diary.chance.near(525, 0.03).toFixed(0), type: 'live' as const };
    const reference = `CAR-${cull.day.slice(2).replaceAll('-', '')}`;
    sell(diary, lot, SALEYARD, saleyard({ price: PRICES[year].cow, basis: 'perKg', weight, reference }, lot));
  });
}

function tellOfSteers(diary: Diary, year: 2024 | 2025): void {
  const price = PRICES[year];
  tellOfBuying(diary, `${year}-09-11`, price.store, 61, 62);
  tellOfBuying(diary, `${year + 1}-04-23`, price.store, 38, 38);
  const finished = (day: string, head: number, live: number) =>
    diary.on(`${day}T05:45`, () => {
      const lot = { mob: 'steers', kind: STEER, head };
      const kilos = diary.chance.near(live, 0.02);
      const weight = { value: kilos.toFixed(0), type: 'live' as const };
      const reference = `CWM-${day.slice(2).replaceAll('-', '')}`;
      const deal = { price: price.finished, basis: 'perKg' as const, weight, reference };
      const carcassWeight = (kilos * diary.chance.near(0.545, 0.01)).toFixed(1);
      sell(diary, lot, MEATWORKS, overTheHooks({ ...deal, carcassWeight }, lot));
    });
  finished(`${year}-10-22`, 44, 572);
  finished(`${year + 1}-04-29`, 32, 556);
  finished(`${year + 1}-05-27`, 26, 561);
  diary.on(`${year}-11-04T07:00`, () =>
    treatMob(diary, 'steers', STEER, {
      medicine: ANTIBIOTIC,
      dose: 40,
      batch: { identifier: `OX-${year}-12`, expiryDate: `${year + 2}-01-31` },
      procedure: 'Injection',
      reason: 'Pinkeye in the mob',
      note: 'All of the mob, on advice',
    }),
  );
}

/** A truckload: unloaded into the yards (no paddock), put out two days later, joined to the steers when they are clean. */
function tellOfBuying(diary: Diary, day: string, price: string, head: number, invoiced: number): void {
  const reference = `TAR-${day.slice(2).replaceAll('-', '')}`;
  const spring = day.slice(5, 7) === '09';
  diary.on(`${day}T14:30`, () => {
    const fees = [
      { kind: 'freight', amount: '1840.00' },
      { kind: 'commission', amount: '1265.00' },
      { kind: 'insurance', amount: '148.50' },
      { kind: 'yard fees', amount: '77.00' },
    ];
    const terms = { price, basis: 'perKg', reference, saleType: 'paddock', agent: AGENT } as const;
    const weight = { value: spring ? '338' : '296', type: 'live' as const };
    buy(diary, { mob: 'bought-steers', kind: STEER, head }, STEER_BREEDER, {
      ...terms,
      weight,
      fees,
      invoiced,
    });
    // The second load has heifers in it: one consignment, two classes, its costs shared by head.
    if (!spring)
      buy(diary, { mob: 'bought-steers', kind: HEIFER, head: 9 }, STEER_BREEDER, {
        ...terms,
        weight: { value: '271', type: 'live' },
        fees: [],
      });
  });
  diary.on(plusDays(day, 2), () => moveTo(diary, 'bought-steers', 'horse'));
  diary.on(plusDays(day, 23), () =>
    draft(diary, 'bought-steers', [
      { mob: 'steers', kind: STEER, head: diary.book.head('bought-steers', STEER) },
      { mob: 'heifers', kind: HEIFER, head: diary.book.head('bought-steers', HEIFER) },
    ]),
  );
}
