import { Module } from '@nestjs/common';
import { EventStoreModule } from '../event-store/index.js';
import { Erasure } from './erasure.js';

/** Imported by every module that keeps something about farms. */
@Module({ imports: [EventStoreModule], providers: [Erasure], exports: [Erasure] })
export class ErasureModule {}
