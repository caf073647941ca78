import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { CompareWithReplacementHandler } from './comparing.js';
import { ComparisonController } from './comparison.controller.js';
import { DeprecatedUses } from './deprecated-uses.js';
import { DeprecationsController } from './deprecations.controller.js';
import { UseEraser } from './use-eraser.js';

@Module({
  imports: [ErasureModule],
  controllers: [ComparisonController, DeprecationsController],
  providers: [DeprecatedUses, UseEraser, CompareWithReplacementHandler],
})
export class DeprecationModule {}
