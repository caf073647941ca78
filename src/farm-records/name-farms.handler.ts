import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { NameFarms } from '../auth/index.js';
import { Database } from '../database/database.js';
import { listFarms } from './farm-rows.js';

/** Tells those who ask people about their farms what the farms are called. */
@QueryHandler(NameFarms)
export class NameFarmsHandler implements IQueryHandler<NameFarms> {
  constructor(private readonly database: Database) {}

  async execute({ farmIds }: NameFarms): Promise<ReadonlyMap<string, string>> {
    const farms = await listFarms(this.database, [...farmIds], '', farmIds.length);
    return new Map(farms.map(({ id, name }) => [id, name]));
  }
}
