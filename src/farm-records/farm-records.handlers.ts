import {
  CommandHandler,
  EventBus,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { Database } from '../database/database.js';
import { bucketOf } from '../event-store/index.js';
import type { Farm } from './farm.js';
import { findFarm, listFarms, type StoredFarm } from './farm-rows.js';
import { Importer } from './importer.js';
import type { ImportSummary } from './import-tally.js';
import {
  FindFarm,
  ImportRecords,
  ListFarms,
  ListRecords,
  type RecordCursor,
  SaveFarm,
  SettleFarm,
  RecordsImported,
} from './messages.js';
import { FarmSaver } from './save-farm.js';
import { settleFarm } from './settle.js';

@CommandHandler(SaveFarm)
export class SaveFarmHandler implements ICommandHandler<SaveFarm> {
  constructor(private readonly farms: FarmSaver) {}

  execute({ farmId, settings }: SaveFarm): Promise<{ farm: Farm; created: boolean }> {
    return this.farms.save(farmId, settings);
  }
}

@CommandHandler(SettleFarm)
export class SettleFarmHandler implements ICommandHandler<SettleFarm> {
  constructor(private readonly database: Database) {}

  execute({ farmId }: SettleFarm): Promise<void> {
    return this.database.transaction((tx) => settleFarm(tx, farmId));
  }
}

@QueryHandler(FindFarm)
export class FindFarmHandler implements IQueryHandler<FindFarm> {
  constructor(private readonly database: Database) {}

  async execute({ farmId }: FindFarm): Promise<Farm | undefined> {
    const farm = await findFarm(this.database, farmId);
    return farm && settingsOf(farm);
  }
}

@QueryHandler(ListFarms)
export class ListFarmsHandler implements IQueryHandler<ListFarms> {
  constructor(private readonly database: Database) {}

  async execute({ ids, after, limit }: ListFarms): Promise<Farm[]> {
    return (await listFarms(this.database, ids === 'all' ? ids : [...ids], after, limit)).map(settingsOf);
  }
}

@CommandHandler(ImportRecords)
export class ImportRecordsHandler implements ICommandHandler<ImportRecords> {
  constructor(
    private readonly importer: Importer,
    private readonly events: EventBus,
  ) {}

  execute({ farmId, items, itemised }: ImportRecords): Promise<ImportSummary> {
    return this.importer.import(farmId, items, itemised, (news) => {
      this.events.publish(new RecordsImported(news));
    });
  }
}

@QueryHandler(ListRecords)
export class ListRecordsHandler implements IQueryHandler<ListRecords> {
  constructor(private readonly database: Database) {}

  async execute({
    farmId,
    limit,
    after,
    resourceType,
  }: ListRecords): Promise<{ records: string[]; next?: RecordCursor }> {
    const { rows } = await this.database.query<{ source: string; source_id: string; body: string }>(
      `SELECT source, source_id, body::text FROM farm_record
        WHERE bucket = $1 AND farm_id = $2 AND (source, source_id) > ($3, $4) AND ($5::text IS NULL OR resource_type = $5)
        ORDER BY source, source_id LIMIT $6`,
      [bucketOf(farmId), farmId, after?.source ?? '', after?.sourceId ?? '', resourceType ?? null, limit + 1],
    );
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      records: page.map(({ body }) => body),
      ...(last && { next: { source: last.source, sourceId: last.source_id } }),
    };
  }
}

function settingsOf({
  bucket: _bucket,
  unsettledFrom: _from,
  lastAt: _last,
  turns: _turns,
  position: _position,
  ...farm
}: StoredFarm): Farm {
  return farm;
}
