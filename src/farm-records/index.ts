export { type Farm, financialYearBegin } from './farm.js';
export { readCsv } from './csv/index.js';
export { FarmRecordsModule } from './farm-records.module.js';
export { InvalidFarm } from './farm-settings.js';
export { type ImportItem, readJson, readNdjson } from './import-items.js';
export type { ImportSummary } from './import-tally.js';
export { FarmChanged, UnknownFarm } from './importer.js';
export { FindFarm, ImportRecords, SaveFarm, SettleFarm, RecordsImported } from './messages.js';
