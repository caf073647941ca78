import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Sql } from '../database/database.js';
import { type ErasedFarm, Erasure, type FarmEraser } from '../erasure/index.js';

/** The farm's schedules, whose runs go with them. */
@Injectable()
export class ScheduleEraser implements FarmEraser, OnModuleInit {
  readonly name = 'schedules';

  constructor(private readonly erasure: Erasure) {}

  onModuleInit(): void {
    this.erasure.add(this);
  }

  async eraseFarm(tx: Sql, { bucket, id }: ErasedFarm): Promise<number> {
    const gone = await tx.query('DELETE FROM report_schedule WHERE bucket = $1 AND tenant_id = $2', [
      bucket,
      id,
    ]);
    return gone.rowCount ?? 0;
  }
}
