export { installedReportTypes } from './generators.handlers.js';
export { GeneratorsModule } from './generators.module.js';
export { AttemptBegun, AttemptEnded, ReplicaPassedOver } from './messages.js';
