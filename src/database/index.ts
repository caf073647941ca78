export { isPassing } from './passing-failure.js';
export { generatingUrl, servingOptions, servingUrl } from './data-source.js';
export { Database, type Sql, type Transaction } from './database.js';
export { DatabaseModule } from './database.module.js';
export { findDatabase, findMigratedDatabase, type FoundDatabase } from './database-url.js';
export { Jobs, type Work } from './jobs.js';
export { embeddedGenerationUrl } from './generation-login.js';
export { migrate, requireSchema, SchemaMismatch, type SchemaState, schemaState } from './migrations.js';
export { liveJobsOf, type QueueName } from './queues.js';
