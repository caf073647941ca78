import { FLY_SPRAY, LAMB_DRENCH, SIX_IN_ONE, treatMob } from './care.js';
import { type Diary, FINANCIAL_YEARS } from './diary.js';
import { rotate } from './grazing.js';
import { agist, born, count, draft, reclassify } from './head-changes.js';
import {
  LAMB_EWE,
  MERINO_EWE,
  MERINO_HOGGET,
  MERINO_LAMB,
  MERINO_RAM,
  MERINO_WETHER,
  TEASER,
} from './kinds.js';
import { die, loseSome, rations } from './losses.js';
import { MEATWORKS, RAM_STUD, RESTOCKER, SALEYARD } from './parties.js';
import { buy, overTheHooks, saleyard, sell } from './trades.js';

/** What wethers and old ewes bring, by the spring in which the financial year lies. */
const PRICES = {
  2024: { mutton: '3.15', ewe: '78.00', wether: '96.00', ram: '1850.00' },
  2025: { mutton: '5.60', ewe: '124.00', wether: '138.00', ram: '2300.00' },
} as const;

/** The self-replacing Merino flock: lambs in August, weaned in December, classed in June, ewes cast to prime lambs. */
export function tellOfMerinos(diary: Diary): void {
  rotate(diary, 'merino-ewes', ['woolshed', 'boundary', 'middle', 'creek'], 6);
  rotate(diary, 'wethers', ['stony', 'top-ridge'], 9);
  rotate(diary, 'merino-hoggets', ['middle', 'stony', 'woolshed'], 8);
  for (const [mob, kind, percent] of [
    ['merino-ewes', MERINO_EWE, 3.2],
    ['merino-ewes', MERINO_LAMB, 7],
    ['merino-weaners', MERINO_LAMB, 4],
    ['merino-hoggets', MERINO_HOGGET, 1.8],
    ['wethers', MERINO_WETHER, 1.6],
    ['rams', MERINO_RAM, 4],
  ] as const)
    loseSome(diary, mob, kind, percent);
  rations(diary, 'wethers', MERINO_WETHER);
  for (const year of FINANCIAL_YEARS) {
    tellOfLambing(diary, year);
    tellOfSelling(diary, year);
    tellOfClassing(diary, year);
  }
  tellOfTheUnexpected(diary);
}

function tellOfLambing(diary: Diary, year: number): void {
  const share = (low: number) =>
    Math.round(diary.book.head('merino-ewes', MERINO_EWE) * diary.chance.near(low, 0.04));
  diary.on(`${year}-08-24`, () => born(diary, { mob: 'merino-ewes', kind: MERINO_LAMB, head: share(0.52) }));
  diary.on(`${year}-09-14`, () => born(diary, { mob: 'merino-ewes', kind: MERINO_LAMB, head: share(0.37) }));
  diary.on(`${year}-10-02T08:30`, () =>
    treatMob(diary, 'merino-ewes', MERINO_LAMB, {
      medicine: SIX_IN_ONE,
      dose: 1,
      batch: { identifier: `CV6-${year}-18`, expiryDate: `${year + 1}-11-30` },
      procedure: 'Marking',
      reason: 'Clostridial disease',
    }),
  );
  diary.on(`${year}-12-05`, () => {
    const lambs = diary.book.head('merino-ewes', MERINO_LAMB);
    draft(diary, 'merino-ewes', [{ mob: 'merino-weaners', kind: MERINO_LAMB, head: lambs }]);
  });
  diary.on(`${year}-12-06T10:00`, () =>
    treatMob(diary, 'merino-weaners', MERINO_LAMB, {
      medicine: LAMB_DRENCH,
      dose: 6,
      batch: { identifier: `OT-${year}-441`, expiryDate: `${year + 2}-05-31` },
      procedure: 'Weaning drench',
      reason: 'Worms',
    }),
  );
}

function tellOfSelling(diary: Diary, year: 2024 | 2025): void {
  const price = PRICES[year];
  diary.on(`${year + 1}-01-16T11:30`, () => {
    const lot = { mob: 'wethers', kind: MERINO_WETHER, head: diary.chance.between(72, 84) };
    const weight = { value: diary.chance.near(24.5, 0.03).toFixed(1), type: 'carcass' as const };
    const deal = { price: price.mutton, basis: 'perKg' as const, weight, reference: `CWM-${year}-0116` };
    sell(diary, lot, MEATWORKS, overTheHooks(deal, lot));
  });
  diary.on(`${year + 1}-01-28T13:15`, () => {
    const lot = { mob: 'merino-ewes', kind: MERINO_EWE, head: diary.chance.between(88, 97) };
    const weight = { value: '52.0', type: 'live' as const };
    sell(
      diary,
      lot,
      SALEYARD,
      saleyard({ price: price.ewe, basis: 'perHead', weight, reference: `CAR-${year}-0128` }, lot),
    );
  });
  diary.on(`${year + 1}-02-11T15:00`, () => {
    const lot = { mob: 'rams', kind: MERINO_RAM, head: 4 };
    const fees = [
      { kind: 'freight', amount: '140.00' },
      { kind: 'insurance', amount: '96.00' },
      { kind: 'brucellosis accreditation', amount: '22.00' },
    ];
    const terms = { basis: 'perHead', saleType: 'on-property', agent: 'Lachlan Valley Livestock' } as const;
    const weight = { value: '98', type: 'live' as const };
    buy(diary, lot, RAM_STUD, { ...terms, price: price.ram, weight, reference: `GLEN-${year}-27`, fees });
  });
}

function tellOfClassing(diary: Diary, year: number): void {
  diary.on(`${year + 1}-02-18`, () =>
    reclassify(
      diary,
      { mob: 'merino-ewes', kind: MERINO_EWE, head: diary.chance.between(96, 108) },
      LAMB_EWE,
      'Cast for age, joined to Poll Dorsets',
    ),
  );
  diary.on(`${year + 1}-02-19`, () =>
    draft(diary, 'merino-ewes', [
      { mob: 'lamb-ewes', kind: LAMB_EWE, head: diary.book.head('merino-ewes', LAMB_EWE) },
    ]),
  );
  diary.on(`${year + 1}-03-10`, () => {
    const hoggets = diary.book.head('merino-hoggets', MERINO_HOGGET);
    reclassify(
      diary,
      { mob: 'merino-hoggets', kind: MERINO_HOGGET, head: hoggets },
      MERINO_EWE,
      'First joining',
    );
  });
  diary.on(`${year + 1}-03-12`, () => {
    const head = diary.book.head('merino-hoggets', MERINO_EWE);
    draft(diary, 'merino-hoggets', [{ mob: 'merino-ewes', kind: MERINO_EWE, head }]);
  });
  diary.on(`${year + 1}-06-17`, () => {
    const lambs = diary.book.head('merino-weaners', MERINO_LAMB);
    const ewes = Math.round(lambs * 0.51);
    reclassify(diary, { mob: 'merino-weaners', kind: MERINO_LAMB, head: ewes }, MERINO_HOGGET, 'First teeth');
    reclassify(
      diary,
      { mob: 'merino-weaners', kind: MERINO_LAMB, head: lambs - ewes },
      MERINO_WETHER,
      'First teeth',
    );
  });
  diary.on(`${year + 1}-06-18`, () =>
    draft(diary, 'merino-weaners', [
      { mob: 'merino-hoggets', kind: MERINO_HOGGET, head: diary.book.head('merino-weaners', MERINO_HOGGET) },
      { mob: 'wethers', kind: MERINO_WETHER, head: diary.book.head('merino-weaners', MERINO_WETHER) },
    ]),
  );
  diary.on(`${year + 1}-06-23T09:20`, () => {
    const lot = { mob: 'wethers', kind: MERINO_WETHER, head: diary.chance.between(58, 66) };
    const price = PRICES[year === 2024 ? 2024 : 2025].wether;
    const fees = [
      { kind: 'commission', amount: '285.00' },
      { kind: 'listing', amount: '66.00' },
    ];
    const weight = { value: '41.5', type: 'live' as const };
    sell(diary, lot, RESTOCKER, {
      price,
      basis: 'perHead',
      weight,
      reference: `AP-${year}-3307`,
      saleType: 'online',
      fees,
    });
  });
}

function tellOfTheUnexpected(diary: Diary): void {
  diary.on('2024-11-20T16:00', () => {
    const ewes = diary.book.head('merino-ewes', MERINO_EWE);
    count(diary, [{ mob: 'merino-ewes', kind: MERINO_EWE, head: ewes, differs: -4 }], true);
  });
  diary.on('2025-01-09T07:40', () => sprayForFlies(diary, 'merino-weaners', 10));
  diary.on('2025-11-06T18:00', () =>
    die(
      diary,
      { mob: 'wethers', kind: MERINO_WETHER, head: 9 },
      { reason: 'Missing', method: 'Theft', explanation: 'Boundary gate found open' },
    ),
  );
  diary.on('2025-11-19T16:00', () => {
    const wethers = { mob: 'wethers', kind: MERINO_WETHER, head: diary.book.head('wethers', MERINO_WETHER) };
    const ewes = { mob: 'merino-ewes', kind: MERINO_EWE, head: diary.book.head('merino-ewes', MERINO_EWE) };
    count(
      diary,
      [
        { ...wethers, differs: 2 },
        { ...ewes, differs: -5 },
      ],
      true,
    );
  });
  diary.on('2026-01-07T07:40', () => sprayForFlies(diary, 'merino-weaners', 11));
  const away = { mob: 'wethers', kind: MERINO_WETHER, head: 90 };
  diary.on('2026-03-04T09:00', () => agist(diary, away, 'out'));
  diary.on('2026-05-27T15:30', () => agist(diary, away, 'back'));
  diary.on('2026-06-25T16:00', () => {
    const hoggets = diary.book.head('merino-hoggets', MERINO_HOGGET);
    const teasers = diary.book.head('rams', TEASER);
    count(
      diary,
      [
        { mob: 'merino-hoggets', kind: MERINO_HOGGET, head: hoggets, differs: -3 },
        { mob: 'rams', kind: TEASER, head: teasers, differs: 0 },
      ],
      false,
    );
  });
}

function sprayForFlies(diary: Diary, mob: string, dose: number): void {
  treatMob(diary, mob, MERINO_LAMB, {
    medicine: FLY_SPRAY,
    dose,
    // Bought ahead: by the second summer it is past its date, which the treatment report warns of.
    batch: { identifier: 'FG-7719', expiryDate: '2025-12-31' },
    procedure: 'Spray-on',
    reason: 'Flystrike',
    note: 'Wet week, flies about',
  });
}
