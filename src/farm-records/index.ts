export type { AnimalUnit, AreaUnit, Farm } from './farm.js';
export { MalformedCsv, readCsv } from './csv/index.js';
export { FarmRecordsModule } from './farm-records.module.js';
export { InvalidFarm } from './farm-settings.js';
export { type ImportItem, MalformedJson, readJson, readNdjson } from './import-items.js';
export type { ImportSummary, ItemResult } from './import-tally.js';
export { FarmChanged, UnknownFarm } from './importer.js';
export {
  FindFarm,
  ImportRecords,
  ListFarms,
  ListRecords,
  type RecordCursor,
  SaveFarm,
  SettleFarm,
  RecordsImported,
} from './messages.js';
