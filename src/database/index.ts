export { isPassing } from './passing-failure.js';
export { generatingUrl, replicaUrl, servingUrl } from './connection-urls.js';
export { Database, type Sql, type Transaction } from './database.js';
export { findDatabase, findMigratedDatabase } from './database-url.js';
export { Jobs, type Work } from './jobs.js';
export { embeddedGenerationUrl } from './generation-login.js';
export { migrate, requireSchema, SchemaMismatch } from './migrations.js';
export { loadOf, placesOf } from './queue-order.js';
export { endJobsOf, liveJobsOf } from './queues.js';
