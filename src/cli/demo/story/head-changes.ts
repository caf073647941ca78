import type { Diary } from './diary.js';
import type { Kind } from './kinds.js';
import type { Lot } from './stock-book.js';

/** How the exchange standard names the head of a group event. */
export function groupOf(diary: Diary, { mob, kind, head }: Lot, ext: object = {}): object {
  const paddockId = diary.book.paddockOf(mob);
  return {
    groupMethod: 'InventoryClassification',
    inventoryClassification: {
      name: kind.ageClass,
      species: kind.species,
      count: head,
      sex: kind.sex,
      primaryBreed: { scheme: 'breed-name', id: kind.breed },
    },
    ext: {
      mobId: mob,
      enterpriseId: kind.enterprise,
      ageClass: kind.ageClass,
      ...(paddockId && { paddockId }),
      ...ext,
    },
  };
}

/** Stock on the farm when its story begins, with what they are worth together. */
export function open(diary: Diary, lines: readonly (Lot & { paddock: string; each: number })[]): void {
  for (const { each: _, paddock, ...lot } of lines) {
    diary.book.add(lot);
    diary.book.move(lot.mob, paddock);
  }
  diary.note('OpeningStock', 'opening-stock', {
    lines: lines.map(({ mob, kind, head, paddock, each }) => ({
      ...claim(kind),
      mobId: mob,
      paddockId: paddock,
      head,
      value: String(head * each),
    })),
  });
}

/** Young born into the mob of their mothers. */
export function born(diary: Diary, lot: Lot): void {
  diary.book.add(lot);
  diary.event('icarGroupMovementBirthEventResource', `births-${lot.mob}`, {
    ...groupOf(diary, lot),
    registrationReason: 'Born',
  });
}

/** Some of a mob go to others, and stand where those stand; a mob that is new stays in the paddock it comes from. */
export function draft(diary: Diary, from: string, to: readonly Lot[]): void {
  const here = diary.book.paddockOf(from);
  const lots = to
    .filter(({ head }) => head > 0)
    .map((lot) => ({ ...lot, paddock: diary.book.paddockOf(lot.mob) }));
  for (const { mob, kind, head, paddock } of lots) {
    diary.book.add({ mob: from, kind, head: -head });
    diary.book.add({ mob, kind, head });
    const stands = paddock ?? here;
    if (stands !== undefined) diary.book.move(mob, stands);
  }
  diary.note('MobTransfer', `transfer-${from}`, {
    from: { mobId: from },
    to: lots.map(({ mob, kind, head, paddock }) => ({
      mobId: mob,
      head,
      ...claim(kind),
      ...(paddock && { paddockId: paddock }),
    })),
  });
}

/** Head of a mob become another kind of stock. */
export function reclassify(diary: Diary, { mob, kind, head }: Lot, to: Kind, cause: string): void {
  diary.book.add({ mob, kind, head: -head });
  diary.book.add({ mob, kind: to, head });
  diary.note('Reclassification', `reclassification-${mob}`, {
    mobId: mob,
    head,
    species: kind.species,
    from: classAndEnterprise(kind),
    to: classAndEnterprise(to),
    cause,
  });
}

/** Stock go to other people's grass, and come back. */
export function agist(diary: Diary, lot: Lot, direction: 'out' | 'back'): void {
  const out = direction === 'out';
  const group = groupOf(diary, lot);
  diary.book.add({ ...lot, head: out ? -lot.head : lot.head });
  diary.event(
    `icarGroupMovement${out ? 'Departure' : 'Arrival'}EventResource`,
    `agistment-${direction}-${lot.mob}`,
    {
      ...group,
      ...(out ? { departureKind: 'Agistment' } : { arrivalReason: 'AgistmentReturn' }),
      remark: 'Lachlan River agistment',
    },
  );
}

export interface Counted extends Lot {
  /** Head found more (or, negative, fewer) than the book has. */
  readonly differs: number;
}

/** A muster: what was counted, and whether the book follows the count. */
export function count(diary: Diary, lines: readonly Counted[], bookAdjustment: boolean): void {
  if (bookAdjustment) for (const line of lines) diary.book.add({ ...line, head: line.differs });
  diary.note('StockCount', 'stock-count', {
    bookAdjustment,
    lines: lines.map(({ mob, kind, head, differs }) => ({
      ...claim(kind),
      mobId: mob,
      head: head + differs,
    })),
  });
}

function claim(kind: Kind): object {
  return { species: kind.species, ...classAndEnterprise(kind) };
}

export function classAndEnterprise({ ageClass, enterprise }: Kind): {
  ageClass: string;
  enterpriseId: string;
} {
  return { ageClass, enterpriseId: enterprise };
}
