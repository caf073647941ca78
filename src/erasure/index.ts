export { Erasure } from './erasure.js';
export { ErasureModule } from './erasure.module.js';
export type { ErasedFarm, FarmEraser } from './farm-eraser.js';
