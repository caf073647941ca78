import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Sql } from '../database/database.js';
import { type ErasedFarm, Erasure, type FarmEraser } from '../erasure/index.js';

/** What endpoints were told about the farm. An endpoint that was for this farm alone goes too. */
@Injectable()
export class DeliveryEraser implements FarmEraser, OnModuleInit {
  readonly name = 'webhooks';

  constructor(private readonly erasure: Erasure) {}

  onModuleInit(): void {
    this.erasure.add(this);
  }

  async eraseFarm(tx: Sql, { id }: ErasedFarm): Promise<number> {
    const alone = await tx.query('DELETE FROM webhook_endpoint WHERE farms = ARRAY[$1::text]', [id]);
    const among = await tx.query(
      'UPDATE webhook_endpoint SET farms = array_remove(farms, $1::text) WHERE farms @> ARRAY[$1::text]',
      [id],
    );
    return (alone.rowCount ?? 0) + (among.rowCount ?? 0);
  }

  async eraseStreams(tx: Sql, { id }: ErasedFarm, streamIds: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM webhook_delivery WHERE tenant_id = $1 AND report_id = ANY ($2)', [
      id,
      streamIds,
    ]);
  }
}
