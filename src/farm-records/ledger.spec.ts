import { describe, expect, it } from '@jest/globals';
import { bookEvent } from './ledger.js';
import type { HeadLine, Holding } from './head-line.js';
import type { MovementDetails, StockEvent } from './statement.js';
import { StockBook } from './stock-book.js';

const DAY = 86_400_000;
const cattle = { species: 'Cattle', enterprise: 'e1', ageClass: 'steer', mob: 'm1', paddock: 'p1' };
const untraded: MovementDetails = { trade: { fees: [] } };

/** Books events one a day from 2024-07-01 on and answers the lines of the last, and the book. */
function given(...events: StockEvent[]): { lines: HeadLine[]; book: StockBook } {
  const book = new StockBook();
  let lines: HeadLine[] = [];
  events.forEach((event, index) => {
    const at = Date.parse('2024-07-01') + index * DAY;
    const day = new Date(at).toISOString().slice(0, 10);
    lines = bookEvent(
      event,
      { at, day, currency: 'AUD', dayOf: (instant) => new Date(instant).toISOString().slice(0, 10) },
      book,
    );
  });
  return { lines, book };
}

const open = (head: number, more: Partial<Holding> = {}): StockEvent => ({
  does: 'open',
  lines: [{ ...cattle, ...more, head }],
});
const sell = (subject: {
  head?: number;
  mob?: string;
  ageClass?: string;
  animals?: string[];
}): StockEvent => ({
  does: 'leave',
  as: 'sale',
  subject: { mob: 'm1', animals: [], ...subject },
  details: untraded,
});
const tag = (animal: string, mob = 'm1'): StockEvent => ({
  does: 'tag',
  subject: { animals: [animal], mob },
  details: untraded,
});
const brief = (lines: HeadLine[]) =>
  lines.map((line) =>
    `${line.category} ${line.delta} ${line.ageClass} ${line.mob}/${line.paddock} ${line.animal}`.trim(),
  );

describe('an event that does not say the class', () => {
  it('takes the one that the mob has', () => {
    expect(brief(given(open(10), sell({ head: 4 })).lines)).toEqual(['sale -4 steer m1/p1']);
  });

  it('is Unassigned when the mob has several', () => {
    const { lines } = given(open(10), open(5, { ageClass: 'cow' }), sell({ head: 4 }));
    expect(brief(lines)).toEqual(['sale -4 Unassigned m1/p1']);
  });

  it('means everyone when the number is all there are', () => {
    const { lines } = given(open(10), open(5, { ageClass: 'cow' }), sell({ head: 15 }));
    expect(brief(lines).sort()).toEqual(['sale -10 steer m1/p1', 'sale -5 cow m1/p1']);
  });

  it('takes what the animal is', () => {
    const { lines } = given(open(10), tag('s|1'), { ...sell({ animals: ['s|1'] }) });
    expect(brief(lines)).toEqual(['sale -1 steer m1/p1 s|1']);
  });
});

describe('head that are not there', () => {
  it('are sold all the same, and the balance turns negative', () => {
    const { lines, book } = given(open(3), sell({ head: 5 }));
    expect(brief(lines)).toEqual(['sale -5 steer m1/p1']);
    expect(book.cells('m1').map((cell) => cell.loose)).toEqual([-2]);
  });

  it('do not leave with the whole mob: a class with less than none stays, to be seen', () => {
    const { lines, book } = given(open(10), sell({ head: 2, ageClass: 'cow' }), sell({}));
    expect(brief(lines)).toEqual(['sale -10 steer m1/p1']);
    expect(book.cells('m1').map((cell) => [cell.holding.ageClass, cell.loose])).toEqual([['cow', -2]]);
  });

  it('are Unassigned when nothing at all is known of them', () => {
    expect(brief(given(sell({ head: 1, mob: 'm9' })).lines)).toEqual(['sale -1 Unassigned m9/']);
  });
});

describe('tagging', () => {
  it('changes the management of one head and nothing else', () => {
    const { lines, book } = given(open(10), tag('s|1'));
    expect(lines.map(({ delta, managed, animal }) => [delta, managed, animal])).toEqual([
      [-1, false, ''],
      [1, true, 's|1'],
    ]);
    expect(book.cells('m1')).toMatchObject([{ loose: 9, managed: 1 }]);
  });

  it('of an animal that is on the farm already changes nothing', () => {
    expect(given(open(10), tag('s|1'), tag('s|1')).lines).toEqual([]);
  });

  it('never takes another animal of the mob', () => {
    const { book } = given(open(1), tag('s|1'), tag('s|2'));
    expect(book.cells('m1')).toMatchObject([{ loose: -1, managed: 2 }]);
  });
});

describe('moving between paddocks', () => {
  const move = (head?: number): StockEvent => ({
    does: 'move',
    subject: { mob: 'm1', animals: [], ...(head !== undefined && { head }) },
    toPaddock: 'p2',
  });

  it('takes the animals of the mob along without naming them', () => {
    const { lines, book } = given(open(3), tag('s|1'), move());
    expect(brief(lines)).toEqual([
      'paddock_move -2 steer m1/p1',
      'paddock_move 2 steer m1/p2',
      'paddock_move -1 steer m1/p1',
      'paddock_move 1 steer m1/p2',
    ]);
    const animal = book.animal('s|1');
    expect(animal && book.locate(animal).paddock).toBe('p2');
  });

  it('of a part leaves the rest where it was', () => {
    const { book } = given(open(10), move(4));
    expect(book.cells('m1').map((cell) => [cell.holding.paddock, cell.loose])).toEqual([
      ['p1', 6],
      ['p2', 4],
    ]);
  });

  it('to where the mob is moves nothing', () => {
    expect(given(open(10, { paddock: 'p2' }), move()).lines).toEqual([]);
  });
});

it('splits a mob that stands in several paddocks by share, what does not divide on the largest', () => {
  const { lines } = given(open(7), open(4, { paddock: 'p2' }), sell({ head: 5 }));
  expect(brief(lines).sort()).toEqual(['sale -1 steer m1/p2', 'sale -4 steer m1/p1']);
});

it('lets head stay in their paddock when they change mob', () => {
  const { lines } = given(open(10), { does: 'transfer', from: 'm1', to: [{ mob: 'm2', head: 4 }] });
  expect(brief(lines)).toEqual(['mob_transfer -4 steer m1/p1', 'mob_transfer 4 steer m2/p1']);
});

it('names the animals when a whole mob with animals leaves', () => {
  const { lines, book } = given(open(2), tag('s|1'), sell({}));
  expect(brief(lines)).toEqual(['sale -1 steer m1/p1', 'sale -1 steer m1/p1 s|1']);
  expect(book.animal('s|1')?.head).toBe(0);
});

it('reclassifies an animal from what the ledger knows', () => {
  const { lines } = given(open(1), tag('s|1'), {
    does: 'reclassify',
    subject: { animals: ['s|1'], ageClass: 'calf' },
    to: { ageClass: 'bull' },
  });
  expect(brief(lines)).toEqual(['reclassification -1 steer m1/p1 s|1', 'reclassification 1 bull m1/p1 s|1']);
});

describe('a count', () => {
  const count = (head: number, bookAdjustment: boolean): StockEvent => ({
    does: 'count',
    lines: [{ species: 'Cattle', enterprise: 'e1', ageClass: 'steer', head }],
    bookAdjustment,
  });

  it('is compared with the book and changes nothing', () => {
    const { lines } = given(open(10), count(8, false));
    expect(lines).toMatchObject([{ category: 'count', delta: 0, head: 8, book: 10 }]);
  });

  it('books the difference when that is wanted', () => {
    expect(brief(given(open(10), count(8, true)).lines)).toEqual([
      'count 0 steer /',
      'adjust_out -2 steer m1/p1',
    ]);
    expect(brief(given(open(10), count(13, true)).lines)).toEqual([
      'count 0 steer /',
      'adjust_in 3 steer m1/p1',
    ]);
  });
});

describe('withholding', () => {
  const treat = (
    whpDays: number,
    subject: { mob?: string; animals?: string[] } = { mob: 'm1' },
  ): StockEvent => ({
    does: 'treat',
    subject: { animals: [], ...subject },
    treatment: { whpDays, medicineIds: [], batches: [] },
  });

  it('marks a sale before the clear date', () => {
    expect(given(open(10), treat(3), sell({ head: 1 })).lines).toMatchObject([{ whpClear: '2024-07-05' }]);
  });

  it('is over on the clear date', () => {
    expect(given(open(10), treat(1), sell({ head: 1 })).lines[0]).not.toHaveProperty('whpClear');
  });

  it('goes with head that change mob', () => {
    const moved: StockEvent = { does: 'transfer', from: 'm1', to: [{ mob: 'm2', head: 4 }] };
    expect(given(open(10), treat(30), moved, sell({ head: 1, mob: 'm2' })).lines).toMatchObject([
      { whpClear: '2024-08-01' },
    ]);
  });

  it('ends with the last head by number that had it, not with a move of all of them', () => {
    const all: StockEvent = { does: 'move', subject: { mob: 'm1', animals: [] }, toPaddock: 'p2' };
    const story = [open(4), treat(30), all, sell({ head: 4 })];
    expect(given(...story.slice(0, 3)).lines.filter(({ empties }) => empties)).toEqual([]);
    expect(given(...story).lines).toMatchObject([{ whpClear: '2024-08-01', empties: true }]);
    expect(given(...story, open(3), sell({ head: 3 })).lines[0]).not.toHaveProperty('whpClear');
    expect(given(...story, open(3), treat(2), sell({ head: 3 })).lines).toMatchObject([
      { whpClear: '2024-07-08', empties: true },
    ]);
  });

  it('stays with the animals of a mob whose head by number are gone', () => {
    const story = [open(3), tag('s|1'), treat(30), sell({ head: 2 }), open(3)];
    expect(given(...story, sell({ animals: ['s|1'] })).lines).toMatchObject([{ whpClear: '2024-08-02' }]);
    expect(given(...story, sell({ head: 1 })).lines[0]).not.toHaveProperty('whpClear');
  });

  it('goes with an animal that leaves a treated mob, and spares one that joins it later', () => {
    const join = (animal: string, mob: string): StockEvent => ({ does: 'join', animals: [animal], mob });
    const story = [
      open(2),
      open(2, { mob: 'm2' }),
      tag('s|1'),
      tag('s|2', 'm2'),
      treat(30),
      join('s|1', 'm3'),
      join('s|2', 'm1'),
    ];
    expect(given(...story, sell({ animals: ['s|1'] })).lines).toMatchObject([{ whpClear: '2024-08-04' }]);
    expect(given(...story, sell({ animals: ['s|2'] })).lines[0]).not.toHaveProperty('whpClear');
  });
});

it('values a purchase landed, a sale gross and a return as a negative sale', () => {
  const trade = {
    price: { amount: '100.10', currency: 'AUD', basis: 'perHead' as const },
    fees: [{ kind: 'freight', amount: '9' }],
  };
  const enter = (as: 'purchase' | 'sale'): StockEvent => ({
    does: 'enter',
    as,
    subject: { ...cattle, animals: [], head: 3 },
    details: { trade },
  });
  expect(given(enter('purchase')).lines).toMatchObject([{ delta: 3, value: '309.3' }]);
  expect(given(enter('sale')).lines).toMatchObject([{ delta: 3, value: '-300.3' }]);
  expect(given(open(5), { ...sell({ head: 3 }), details: { trade } } as StockEvent).lines).toMatchObject([
    { delta: -3, value: '300.3' },
  ]);
});
