import { Injectable } from '@nestjs/common';
import { QueryBus, QueryHandlerNotFoundException } from '@nestjs/cqrs';
import { NameFarms } from '../messages.js';

/** What people call their farms. */
@Injectable()
export class FarmNames {
  constructor(private readonly queries: QueryBus) {}

  /** A name for every id, in the order of the ids; a farm without one goes by its id. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = await this.queries.execute(new NameFarms(ids)).catch((error: unknown) => {
      if (error instanceof QueryHandlerNotFoundException) return new Map<string, string>();
      throw error;
    });
    return new Map(ids.map((id) => [id, names.get(id) ?? id]));
  }
}
