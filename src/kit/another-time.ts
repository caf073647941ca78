const A_YEAR_AND_A_MONTH = 396 * 86_400_000;

/** Puts this process more than a year ahead (its zone comes from its environment): whatever asks the clock gets another answer than elsewhere. */
export function liveInAnotherTime(): void {
  const RealDate = Date;
  const now = () => RealDate.now() + A_YEAR_AND_A_MONTH;
  class LaterDate extends RealDate {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number]));
    }
    static override now(): number {
      return now();
    }
  }
  globalThis.Date = LaterDate as DateConstructor;
  const zoned = (zone?: string) =>
    Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(zone ?? Temporal.Now.timeZoneId());
  Object.assign(Temporal.Now, {
    instant: () => zoned().toInstant(),
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone?: string) => zoned(zone).toPlainDateTime(),
    plainDateISO: (zone?: string) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone?: string) => zoned(zone).toPlainTime(),
  });
}
