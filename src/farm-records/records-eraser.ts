import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Sql } from '../database/database.js';
import { type ErasedFarm, Erasure, type FarmEraser } from '../erasure/index.js';

/** In the order in which rows refer to one another; `farm` is locked by whoever changes a farm, and goes first. */
const TABLES = [
  'farm',
  'farm_record',
  'farm_record_version',
  'head_line',
  'monthly_flow',
  'class_flow',
  'head_balance',
];

/** The farm, its records and what was said before, its ledger and every sum of it. */
@Injectable()
export class RecordsEraser implements FarmEraser, OnModuleInit {
  readonly name = 'records';

  constructor(private readonly erasure: Erasure) {}

  onModuleInit(): void {
    this.erasure.add(this);
  }

  async eraseFarm(tx: Sql, { bucket, id }: ErasedFarm): Promise<number> {
    let rows = 0;
    for (const table of TABLES) {
      const { rowCount } = await tx.query(`DELETE FROM ${table} WHERE bucket = $1 AND farm_id = $2`, [
        bucket,
        id,
      ]);
      rows += rowCount ?? 0;
    }
    return rows;
  }
}
