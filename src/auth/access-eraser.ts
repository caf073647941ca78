import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Sql } from '../database/database.js';
import { type ErasedFarm, Erasure, type FarmEraser } from '../erasure/index.js';

/** What named the farm, and what is left where it was the only one. */
const STATEMENTS = [
  'DELETE FROM person_farm WHERE farm_id = $1',
  `UPDATE api_key SET farms = array_remove(farms, $1), revoked_at = CASE WHEN farms = ARRAY[$1] THEN coalesce(revoked_at, now()) ELSE revoked_at END
    WHERE farms @> ARRAY[$1]`,
  `UPDATE oauth_family SET farms = array_remove(farms, $1), revoked_at = CASE WHEN farms = ARRAY[$1] THEN coalesce(revoked_at, now()) ELSE revoked_at END
    WHERE farms @> ARRAY[$1]`,
  'DELETE FROM oauth_code WHERE farms = ARRAY[$1]',
  'UPDATE oauth_code SET farms = array_remove(farms, $1) WHERE farms @> ARRAY[$1]',
  'DELETE FROM consent WHERE farms = ARRAY[$1]',
  'UPDATE consent SET farms = array_remove(farms, $1) WHERE farms @> ARRAY[$1]',
  `UPDATE event SET data = jsonb_set(data, '{farms}', (data->'farms') - $1)
    WHERE stream_type = 'security' AND type = 'ApplicationAuthorized' AND data->'farms' ? $1`,
];

/** Who could reach the farm: access ends, and its id goes from what remains. People and clients stay. */
@Injectable()
export class AccessEraser implements FarmEraser, OnModuleInit {
  readonly name = 'access';

  constructor(private readonly erasure: Erasure) {}

  onModuleInit(): void {
    this.erasure.add(this);
  }

  async eraseFarm(tx: Sql, { id }: ErasedFarm): Promise<number> {
    let rows = 0;
    for (const statement of STATEMENTS)
      rows += (await tx.query(statement.replaceAll('$1', '$1::text'), [id])).rowCount ?? 0;
    return rows;
  }
}
