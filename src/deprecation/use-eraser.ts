import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Sql } from '../database/database.js';
import { type ErasedFarm, Erasure, type FarmEraser } from '../erasure/index.js';

/** Which reports are of deprecated types; the counts by client name no farm and stay. */
@Injectable()
export class UseEraser implements FarmEraser, OnModuleInit {
  readonly name = 'deprecated uses';

  constructor(private readonly erasure: Erasure) {}

  onModuleInit(): void {
    this.erasure.add(this);
  }

  async eraseStreams(tx: Sql, { bucket }: ErasedFarm, streamIds: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM deprecated_report WHERE bucket = $1 AND report_id = ANY ($2)', [
      bucket,
      streamIds,
    ]);
  }
}
