import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Sql } from '../database/database.js';
import { type ErasedFarm, Erasure, type FarmEraser } from '../erasure/index.js';

/** The records of reports, and what Idempotency-Keys were answered with. */
@Injectable()
export class ReportEraser implements FarmEraser, OnModuleInit {
  readonly name = 'reports';

  constructor(private readonly erasure: Erasure) {}

  onModuleInit(): void {
    this.erasure.add(this);
  }

  async eraseStreams(tx: Sql, { bucket }: ErasedFarm, streamIds: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM report WHERE bucket = $1 AND report_id = ANY ($2)', [bucket, streamIds]);
    await tx.query('DELETE FROM idempotency_key WHERE report_id = ANY ($1)', [streamIds]);
  }
}
