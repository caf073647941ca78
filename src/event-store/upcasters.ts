/** The members of an event other than its type, as JSON holds them. */
export type EventData = Readonly<Record<string, unknown>>;

/** Lifts the data of one schema version to the next. Pure: stored events are never rewritten, only read anew. */
export type Upcaster = (data: EventData) => EventData;

/** Every event type's way from its first schema version to the one this code writes. */
export class Upcasters {
  private readonly steps = new Map<string, readonly Upcaster[]>();

  /** `steps[0]` lifts version 1 to 2, `steps[1]` 2 to 3, and so on. Throws when the type has its steps already. */
  register(type: string, steps: readonly Upcaster[]): void {
    if (this.steps.has(type)) throw new Error(`the upcasters of ${type} are registered twice`);
    this.steps.set(type, steps);
  }

  /** The schema version that new events of a type are written in: 1 for a type that never changed. */
  currentVersion(type: string): number {
    return 1 + (this.steps.get(type)?.length ?? 0);
  }

  /** Data of `schemaVersion` in the newest shape. Data of a newer release than this one stays as it is. */
  lift(type: string, schemaVersion: number, data: EventData): EventData {
    const due = this.steps.get(type)?.slice(schemaVersion - 1) ?? [];
    return due.reduce((lifted, step) => step(lifted), data);
  }
}
