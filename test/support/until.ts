/** Waits until something holds, and fails when it does not in time. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  within = 15_000,
): Promise<void> {
  const end = performance.now() + within;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${within} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
