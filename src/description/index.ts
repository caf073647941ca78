export { DescriptionModule } from './description.module.js';
