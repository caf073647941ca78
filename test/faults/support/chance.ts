/** Scenarios are repeated by the same numbers when the seed is given again. */
export const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000));
export const QUICK = process.env.FAULT_QUICK === '1';

console.log(`FAULT_SEED=${SEED}${QUICK ? ' (quick)' : ''}`);

/** How often a scenario about randomness is repeated. */
export const RUNS = Number(process.env.FAULT_RUNS ?? (QUICK ? 1 : 20));

/** Numbers from 0 to 1 in an order that the seed and the name decide (mulberry32). */
export function chance(name: string): () => number {
  let state = Array.from(name).reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), SEED);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
