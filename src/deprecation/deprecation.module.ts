import { Module } from '@nestjs/common';
import { CompareWithReplacementHandler } from './comparing.js';
import { ComparisonController } from './comparison.controller.js';
import { DeprecatedUses } from './deprecated-uses.js';
import { DeprecationsController } from './deprecations.controller.js';

@Module({
  controllers: [ComparisonController, DeprecationsController],
  providers: [DeprecatedUses, CompareWithReplacementHandler],
})
export class DeprecationModule {}
