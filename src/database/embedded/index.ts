export { EmbeddedPostgres } from './embedded-postgres.js';
export { UnsupportedPlatform } from './binaries.js';
