export { DeprecationModule } from './deprecation.module.js';
export * from './messages.js';
