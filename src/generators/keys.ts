/** Sorts before every character that a text of a record may hold. */
const SEPARATOR = '\u0000';

/** One key of several parts: it sorts as they do, the first before the second. */
export function joinedKey(...parts: readonly (string | number | boolean | null)[]): string {
  return parts.join(SEPARATOR);
}

export function inOrderOfKeys<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
