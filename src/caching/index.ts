export { CachingModule } from './caching.module.js';
