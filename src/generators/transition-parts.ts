import type { Entry, HeadLine, RecordRef, Transition } from '../farm-records/reader.js';
import { inOrderOfKeys, joinedKey } from './keys.js';

type Way = Pick<Transition, 'species' | 'fromAgeClass' | 'fromEnterprise' | 'toAgeClass' | 'toEnterprise'>;

/** What a reclassification brings to a net change of its day; negative where it undoes one. */
export type TransitionPart = Way & {
  readonly record: RecordRef;
  readonly headMob: number;
  readonly headIndividual: number;
};

/**
 * The transitions of a local day by the records behind them, told from the records one by one: what they bring to a change adds up to
 * what `FarmRecords.transitions` says of it. Takes the day's reclassifications with all their lines.
 */
export function transitionParts(day: readonly Entry[]): TransitionPart[] {
  return [...partsOfMobs(day), ...partsOfAnimals(day)];
}

/** Head by number change pair by pair; within a mob an exact reverse cancels. */
function partsOfMobs(day: readonly Entry[]): TransitionPart[] {
  const moves = day.flatMap(({ record, lines }) =>
    pairsOf(lines.filter((line) => line.animal === '')).map(([from, to]) => ({
      record,
      mob: from.mob,
      head: to.delta,
      way: wayOf(from, to),
    })),
  );
  const keyOf = (mob: string, way: Way) => JSON.stringify([mob, ...Object.values(way)]);
  const there = Map.groupBy(moves, ({ mob, way }) => keyOf(mob, way));
  const headOf = (part: typeof moves) => part.reduce((head, move) => head + move.head, 0);
  return [...there.values()].flatMap((ahead) => {
    const [{ mob, way }] = ahead as [(typeof moves)[number]];
    const back = there.get(keyOf(mob, reverse(way))) ?? [];
    if (headOf(ahead) <= headOf(back)) return [];
    const part = (sign: 1 | -1) => (move: (typeof moves)[number]) => ({
      ...way,
      record: move.record,
      headMob: sign * move.head,
      headIndividual: 0,
    });
    return [...ahead.map(part(1)), ...back.map(part(-1))];
  });
}

/** An animal counts by what it was before and is after; the last record of the day made it so, those before brought nothing. */
function partsOfAnimals(day: readonly Entry[]): TransitionPart[] {
  const lines = day.flatMap(({ record, lines: own }) =>
    own.filter((line) => line.animal !== '').map((line) => ({ record, line })),
  );
  return [...Map.groupBy(lines, ({ line }) => line.animal).values()].flatMap((own) => {
    const records = [...new Set(own.map(({ record }) => record))];
    return netWays(own.map(({ line }) => line)).flatMap((way) =>
      records.map((record, index) => ({
        ...way,
        record,
        headMob: 0,
        headIndividual: index === records.length - 1 ? 1 : 0,
      })),
    );
  });
}

function netWays(lines: readonly HeadLine[]): Way[] {
  const byClass = Map.groupBy(lines, ({ species, ageClass, enterprise }) =>
    joinedKey(species, ageClass, enterprise),
  );
  const net = inOrderOfKeys(byClass).map(([, same]) => ({
    line: same[0] as HeadLine,
    delta: same.reduce((delta, line) => delta + line.delta, 0),
  }));
  const [left, reached] = [net.filter(({ delta }) => delta < 0), net.filter(({ delta }) => delta > 0)];
  return left.slice(0, reached.length).map(({ line }, nth) => wayOf(line, reached[nth]?.line ?? line));
}

function pairsOf(lines: readonly HeadLine[]): [HeadLine, HeadLine][] {
  return lines.flatMap((from, index) => {
    const to = lines[index + 1];
    return index % 2 === 0 && to ? [[from, to] as [HeadLine, HeadLine]] : [];
  });
}

function wayOf(from: HeadLine, to: HeadLine): Way {
  return {
    species: from.species,
    fromAgeClass: from.ageClass,
    fromEnterprise: from.enterprise,
    toAgeClass: to.ageClass,
    toEnterprise: to.enterprise,
  };
}

function reverse({ species, fromAgeClass, fromEnterprise, toAgeClass, toEnterprise }: Way): Way {
  return {
    species,
    fromAgeClass: toAgeClass,
    fromEnterprise: toEnterprise,
    toAgeClass: fromAgeClass,
    toEnterprise: fromEnterprise,
  };
}
