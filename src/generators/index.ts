export { GeneratorsModule } from './generators.module.js';
export { AttemptBegun, AttemptEnded } from './messages.js';
