import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Sql } from '../database/database.js';
import { type ErasedFarm, Erasure, type FarmEraser } from '../erasure/index.js';

/** The reports that could have answered again. */
@Injectable()
export class ReuseEraser implements FarmEraser, OnModuleInit {
  readonly name = 'reuse';

  constructor(private readonly erasure: Erasure) {}

  onModuleInit(): void {
    this.erasure.add(this);
  }

  async eraseStreams(tx: Sql, { bucket }: ErasedFarm, streamIds: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM reusable_report WHERE bucket = $1 AND report_id = ANY ($2)', [
      bucket,
      streamIds,
    ]);
  }
}
