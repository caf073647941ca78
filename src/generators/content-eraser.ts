import { Injectable, type OnModuleInit } from '@nestjs/common';
import { endJobsOf, type Sql } from '../database/index.js';
import { type ErasedFarm, Erasure, type FarmEraser } from '../erasure/index.js';

/** Contents, published or being written, and the jobs that would make more. */
@Injectable()
export class ContentEraser implements FarmEraser, OnModuleInit {
  readonly name = 'content';

  constructor(private readonly erasure: Erasure) {}

  onModuleInit(): void {
    this.erasure.add(this);
  }

  async eraseStreams(tx: Sql, { bucket }: ErasedFarm, streamIds: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM artifact WHERE bucket = $1 AND report_id = ANY ($2)', [bucket, streamIds]);
    await endJobsOf(tx, 'generate-report', 'reportId', streamIds);
  }
}
