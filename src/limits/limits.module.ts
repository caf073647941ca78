import { Module } from '@nestjs/common';
import { RateLimits } from './rate-limits.js';

/** How much a credential may ask for, over all processes. */
@Module({ providers: [RateLimits], exports: [RateLimits] })
export class LimitsModule {}
