import type { Transaction } from '../database/database.js';
import type { Append } from './append.js';
import type { DomainEvent, NewEvent } from './event.js';
import type { InlineProjection, ReadModel } from './read-model.js';

/** The inline projections of this process, by event type and in the order of their registration. */
export class Projections {
  readonly models = new Map<string, ReadModel>();
  private readonly byType = new Map<string, InlineProjection[]>();

  add<Event extends DomainEvent>(types: readonly Event['type'][], project: InlineProjection<Event>): void {
    for (const type of types)
      this.byType.set(type, [...(this.byType.get(type) ?? []), project as InlineProjection]);
  }

  addModel<Event extends DomainEvent>(model: ReadModel<Event>): void {
    if (this.models.has(model.name)) throw new Error(`the read model ${model.name} is registered twice`);
    this.models.set(model.name, model as unknown as ReadModel);
    this.add(model.types, model.project);
  }

  concern(events: readonly NewEvent[]): boolean {
    return events.some(({ event }) => this.byType.has(event.type));
  }

  async run(tx: Transaction, { stream, expectedVersion, events, meta }: Append): Promise<void> {
    for (const [index, { id, event }] of events.entries()) {
      for (const project of this.byType.get(event.type) ?? []) {
        await project(event, { tx, stream, version: expectedVersion + index + 1, id, meta });
      }
    }
  }
}
