import type { Transaction } from '../database/database.js';
import type { Append } from './append.js';
import type { DomainEvent, NewEvent } from './event.js';
import type { EventPlace, InlineProjection, ReadModel, Statement } from './read-model.js';

/** What this process does with events as they are appended: its inline projections and its read models. */
export class Projections {
  readonly models = new Map<string, ReadModel>();
  private readonly inline: { types: readonly string[]; project: InlineProjection }[] = [];

  add<Event extends DomainEvent>(types: readonly Event['type'][], project: InlineProjection<Event>): void {
    this.inline.push({ types, project: project as InlineProjection });
  }

  addModel<Event extends DomainEvent>(model: ReadModel<Event>): void {
    if (this.models.has(model.name)) throw new Error(`the read model ${model.name} is registered twice`);
    this.models.set(model.name, model);
  }

  concern(events: readonly NewEvent[]): boolean {
    const known = [...this.inline, ...this.models.values()];
    return events.some(({ event }) => known.some(({ types }) => types.includes(event.type)));
  }

  /** Runs the inline projections, one after another and in the order of their registration. */
  async run(tx: Transaction, append: Append): Promise<void> {
    for (const [event, place] of placed(append))
      for (const { types, project } of this.inline)
        if (types.includes(event.type)) await project(event, { tx, ...place });
  }

  /** What the read models have to change, event by event. */
  statements(append: Append): Statement[][] {
    const models = [...this.models.values()];
    return placed(append).map(([event, place]) =>
      models.flatMap((model) => (model.types.includes(event.type) ? model.project(event, place) : [])),
    );
  }
}

function placed({ stream, expectedVersion, events, meta }: Append): [DomainEvent, EventPlace][] {
  return events.map(({ id, event }, index) => [
    event,
    { stream, version: expectedVersion + index + 1, id, meta },
  ]);
}
