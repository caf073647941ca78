/** How long a test waits, in ms, for what comes in a moment: on the slowest machine too, it only tells late from never. */
const PATIENCE_MS = 60_000;

/** Waits until something holds and says how many ms that took; fails, naming it, when it takes longer than `within` ms. */
export async function until(
  what: string | (() => string),
  holds: () => Promise<boolean> | boolean,
  within = PATIENCE_MS,
): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > within)
      throw new Error(`not within ${within} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return performance.now() - begun;
}
