export { GeneratorsModule } from './generators.module.js';
