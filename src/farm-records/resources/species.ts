const KNOWN = ['Buffalo', 'Cattle', 'Deer', 'Elk', 'Emu', 'Goat', 'Horse', 'Pig', 'Poultry', 'Sheep'];
const SPELLINGS = new Map(
  KNOWN.flatMap((species) => [
    [species.toLowerCase(), species],
    [`${species.toLowerCase()}s`, species],
  ]),
);

/** A species in the standard's spelling, so that `sheep`, `Sheep` and, for one, `Goats` and `Goat` are the same; others as they are given. */
export function speciesNamed(text: string | undefined): string | undefined {
  return text && (SPELLINGS.get(text.toLowerCase()) ?? text);
}
