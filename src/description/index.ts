export { DescriptionModule } from './description.module.js';
export { documentsOf } from './documents.js';
export { Routes } from './routes.js';
