import { Global, Module } from '@nestjs/common';
import { RateLimits } from './rate-limits.js';

/** How much a credential may ask for, over all processes. */
@Global()
@Module({ providers: [RateLimits], exports: [RateLimits] })
export class LimitsModule {}
