import { LAMB_DRENCH, SIX_IN_ONE, treatMob } from './care.js';
import { type Diary, FINANCIAL_YEARS } from './diary.js';
import { moveTo, rotate } from './grazing.js';
import { born, draft } from './head-changes.js';
import { LAMB_EWE, LAMB_RAM, PRIME_LAMB } from './kinds.js';
import { loseSome } from './losses.js';
import { AGENT, DORSET_STUD, EWE_BREEDER, MEATWORKS, SALEYARD } from './parties.js';
import { buy, overTheHooks, saleyard, sell, takeBack } from './trades.js';

const PRICES = {
  2024: { hooks: '7.85', store: '118.00', ewe: '142.00', mutton: '86.00', ram: '1400.00' },
  2025: { hooks: '10.40', store: '171.00', ewe: '196.00', mutton: '131.00', ram: '1750.00' },
} as const;

/** Older Merino ewes with Poll Dorset rams: lambs in July, sold from November, by the carcass and in the yards. */
export function tellOfPrimeLambs(diary: Diary): void {
  rotate(diary, 'lamb-ewes', ['shelter', 'lucerne', 'river-flat'], 5);
  loseSome(diary, 'lamb-ewes', LAMB_EWE, 3.4);
  loseSome(diary, 'lamb-ewes', PRIME_LAMB, 6);
  loseSome(diary, 'prime-lambs', PRIME_LAMB, 3);
  for (const year of FINANCIAL_YEARS) {
    tellOfLambing(diary, year);
    tellOfDrafts(diary, year);
    tellOfBuying(diary, year);
  }
  diary.on('2026-03-02', () => moveTo(diary, 'lamb-ewes', 'pens'));
}

function tellOfLambing(diary: Diary, year: number): void {
  const share = (of: number) =>
    Math.round(diary.book.head('lamb-ewes', LAMB_EWE) * diary.chance.near(of, 0.03));
  diary.on(`${year}-07-22`, () => born(diary, { mob: 'lamb-ewes', kind: PRIME_LAMB, head: share(0.71) }));
  diary.on(`${year}-08-11`, () => born(diary, { mob: 'lamb-ewes', kind: PRIME_LAMB, head: share(0.49) }));
  diary.on(`${year}-08-28T09:00`, () =>
    treatMob(diary, 'lamb-ewes', PRIME_LAMB, {
      medicine: SIX_IN_ONE,
      dose: 1,
      batch: { identifier: `CV6-${year}-11`, expiryDate: `${year + 1}-08-31` },
      procedure: 'Marking',
      reason: 'Clostridial disease',
    }),
  );
  diary.on(`${year}-11-12`, () => {
    const head = diary.book.head('lamb-ewes', PRIME_LAMB);
    draft(diary, 'lamb-ewes', [{ mob: 'prime-lambs', kind: PRIME_LAMB, head }]);
  });
  diary.on(`${year}-11-14`, () => moveTo(diary, 'prime-lambs', 'lucerne'));
}

function tellOfDrafts(diary: Diary, year: 2024 | 2025): void {
  const price = PRICES[year];
  for (const [day, head, kilos] of [
    [`${year}-11-27T06:30`, 112, 22.8],
    [`${year}-12-15T06:30`, 126, 22.1],
  ] as const)
    diary.on(day, () => {
      const lot = { mob: 'prime-lambs', kind: PRIME_LAMB, head };
      const weight = { value: diary.chance.near(kilos, 0.02).toFixed(1), type: 'carcass' as const };
      const reference = `CWM-${day.slice(2, 10).replaceAll('-', '')}`;
      sell(
        diary,
        lot,
        MEATWORKS,
        overTheHooks({ price: price.hooks, basis: 'perKg', weight, reference }, lot),
      );
    });
  diary.on(`${year + 1}-01-05T08:00`, () =>
    treatMob(diary, 'prime-lambs', PRIME_LAMB, {
      medicine: LAMB_DRENCH,
      dose: 7,
      batch: { identifier: `OT-${year}-502`, expiryDate: `${year + 2}-05-31` },
      procedure: 'Summer drench',
      reason: 'Worms',
    }),
  );
  // The drench has fourteen days to run: clear in the first January, a sale inside the withholding period in the second.
  diary.on(year === 2024 ? '2025-01-21T10:40' : '2026-01-14T10:40', () => {
    const lot = { mob: 'prime-lambs', kind: PRIME_LAMB, head: 64 };
    const weight = { value: '40.5', type: 'live' as const };
    const reference = `CAR-${year + 1}-01S`;
    sell(diary, lot, SALEYARD, saleyard({ price: price.store, basis: 'perHead', weight, reference }, lot));
  });
  diary.on(`${year + 1}-01-23T17:00`, () =>
    takeBack(diary, { mob: 'prime-lambs', kind: PRIME_LAMB, head: 3 }, SALEYARD, {
      price: price.store,
      basis: 'perHead',
      reference: `CAR-${year + 1}-01S-R`,
      saleType: 'saleyard',
      agent: AGENT,
      fees: [],
    }),
  );
  diary.on(`${year + 1}-02-05T10:40`, () => {
    const lot = { mob: 'prime-lambs', kind: PRIME_LAMB, head: diary.book.head('prime-lambs', PRIME_LAMB) };
    const weight = { value: '43.0', type: 'live' as const };
    const reference = `CAR-${year + 1}-0205`;
    sell(diary, lot, SALEYARD, saleyard({ price: price.store, basis: 'perHead', weight, reference }, lot));
  });
}

function tellOfBuying(diary: Diary, year: 2024 | 2025): void {
  const price = PRICES[year];
  diary.on(`${year + 1}-02-25T14:10`, () => {
    const freight = { kind: 'freight', amount: '612.50' };
    const fees = [freight, { kind: 'commission', amount: '410.00' }, { kind: 'assessment', amount: '95.00' }];
    const weight = { value: '58', type: 'live' as const };
    // One ewe more was loaded than walked off the truck.
    buy(diary, { mob: 'lamb-ewes', kind: LAMB_EWE, head: 119 }, EWE_BREEDER, {
      price: price.ewe,
      basis: 'perHead',
      weight,
      reference: `AP-${year + 1}-1188`,
      saleType: 'online',
      agent: AGENT,
      fees,
      invoiced: 120,
    });
  });
  diary.on(`${year + 1}-02-26T12:00`, () =>
    buy(diary, { mob: 'rams', kind: LAMB_RAM, head: 3 }, DORSET_STUD, {
      price: price.ram,
      basis: 'perHead',
      weight: { value: '112', type: 'live' },
      reference: `ASH-${year + 1}-41`,
      saleType: 'on-property',
      fees: [{ kind: 'insurance', amount: '54.00' }],
    }),
  );
  diary.on(`${year + 1}-03-24T11:00`, () => {
    const lot = { mob: 'lamb-ewes', kind: LAMB_EWE, head: diary.chance.between(118, 132) };
    const weight = { value: '55.0', type: 'live' as const };
    const reference = `CAR-${year + 1}-0324`;
    sell(diary, lot, SALEYARD, saleyard({ price: price.mutton, basis: 'perHead', weight, reference }, lot));
  });
}
