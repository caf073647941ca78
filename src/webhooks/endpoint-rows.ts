import type { Sql } from '../database/index.js';
import type { WebhookEndpoint, WebhookEvent } from './endpoint.js';
import type { EndpointSettings, Owner } from './messages.js';

/** The signing secrets of an endpoint as they are stored: the current one first, then the one before while it is in grace. */
type StoredSecrets = readonly [string, ...string[]];

export interface StoredEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly secrets: StoredSecrets;
}

interface EndpointRow {
  id: string;
  owner: string;
  url: string;
  description: string;
  events: WebhookEvent[];
  farms: string[] | null;
  enabled: boolean;
  disabled_reason: string | null;
  disabled_at: Date | null;
  secret: string;
  previous_secret: string | null;
  previous_until: Date | null;
  failing_since: Date | null;
  created_at: Date;
  modified_at: Date;
}

/** The previous secret counts until its grace ends by the database's clock. */
const COLUMNS = `id, owner, url, description, events, farms, enabled, disabled_reason, disabled_at, secret,
  CASE WHEN previous_until > now() THEN previous_secret END AS previous_secret,
  CASE WHEN previous_until > now() THEN previous_until END AS previous_until,
  failing_since, created_at, modified_at`;

const ON_REQUEST = 'it was disabled on request';

const OF_OWNER = 'id = $1 AND ($2::text IS NULL OR owner = $2)';

/** Inserts an endpoint unless its owner has `most` already; undefined then. Takes turns with the owner's other inserts. */
export async function insertEndpoint(
  tx: Sql,
  owner: string,
  id: string,
  { url, description, events, farms, enabled }: EndpointSettings,
  sealedSecret: string,
  most: number,
): Promise<WebhookEndpoint | undefined> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 110))', [owner]);
  const { rows } = await tx.query<EndpointRow>(
    `INSERT INTO webhook_endpoint (id, owner, url, description, events, farms, enabled, secret, disabled_at, disabled_reason)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN NOT $7 THEN now() END, CASE WHEN NOT $7 THEN $10 END
     WHERE (SELECT count(*) FROM webhook_endpoint WHERE owner = $2) < $9
     RETURNING ${COLUMNS}`,
    [id, owner, url, description, events, farms ?? null, enabled, sealedSecret, most, ON_REQUEST],
  );
  return rows[0] && toEndpoint(rows[0]);
}

export async function findEndpoint(sql: Sql, owner: Owner, id: string): Promise<StoredEndpoint | undefined> {
  const { rows } = await sql.query<EndpointRow>({
    name: 'webhook-endpoint-find',
    text: `SELECT ${COLUMNS} FROM webhook_endpoint WHERE ${OF_OWNER}`,
    values: [id, owner ?? null],
  });
  return rows[0] && { endpoint: toEndpoint(rows[0]), secrets: secretsOf(rows[0]) };
}

export async function listEndpoints(sql: Sql, owner: Owner): Promise<WebhookEndpoint[]> {
  const { rows } = await sql.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM webhook_endpoint WHERE $1::text IS NULL OR owner = $1 ORDER BY created_at, id`,
    [owner ?? null],
  );
  return rows.map(toEndpoint);
}

/** Endpoints that want to hear of an event on a farm, whether or not they may, made before it was recorded. */
export async function endpointsFor(
  sql: Sql,
  event: WebhookEvent,
  farmId: string,
  recordedAt: Date,
): Promise<WebhookEndpoint[]> {
  const { rows } = await sql.query<EndpointRow>({
    name: 'webhook-endpoints-for',
    text: `SELECT ${COLUMNS} FROM webhook_endpoint
           WHERE $1 = ANY (events) AND (farms IS NULL OR $2 = ANY (farms)) AND created_at <= $3`,
    values: [event, farmId, recordedAt],
  });
  return rows.map(toEndpoint);
}

/** Sets what is named. Enabling forgets why and since when it was disabled, and its failures; both stay when it is disabled again. */
export async function changeEndpoint(
  sql: Sql,
  owner: Owner,
  id: string,
  changes: Partial<EndpointSettings>,
): Promise<WebhookEndpoint | undefined> {
  const values: unknown[] = [id, owner ?? null];
  const sets = Object.entries(changes).map(([column, value]) => `${column} = $${values.push(value)}`);
  if (changes.enabled) sets.push('disabled_reason = NULL', 'disabled_at = NULL', 'failing_since = NULL');
  if (changes.enabled === false)
    sets.push(
      `disabled_reason = coalesce(disabled_reason, $${values.push(ON_REQUEST)})`,
      'disabled_at = coalesce(disabled_at, now())',
    );
  const { rows } = await sql.query<EndpointRow>(
    `UPDATE webhook_endpoint SET ${['modified_at = now()', ...sets].join(', ')} WHERE ${OF_OWNER} RETURNING ${COLUMNS}`,
    values,
  );
  return rows[0] && toEndpoint(rows[0]);
}

/** Answers false when it was disabled, or gone, already. */
export async function disableEndpoint(sql: Sql, id: string, reason: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE webhook_endpoint SET enabled = false, disabled_reason = $2, disabled_at = now(), modified_at = now()
     WHERE id = $1 AND enabled`,
    [id, reason],
  );
  return rowCount === 1;
}

/** Notes whether the endpoint takes messages; answers since when it has not, in Unix milliseconds. */
export async function noteHealth(sql: Sql, id: string, healthy: boolean): Promise<number | undefined> {
  if (healthy) {
    await sql.query(
      'UPDATE webhook_endpoint SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL',
      [id],
    );
    return undefined;
  }
  const { rows } = await sql.query<{ failing_since: Date }>(
    `UPDATE webhook_endpoint SET failing_since = coalesce(failing_since, now()) WHERE id = $1 RETURNING failing_since`,
    [id],
  );
  return rows[0]?.failing_since.getTime();
}

export async function replaceSecret(
  sql: Sql,
  owner: Owner,
  id: string,
  sealedSecret: string,
  graceSeconds: number,
): Promise<WebhookEndpoint | undefined> {
  const { rows } = await sql.query<EndpointRow>(
    `UPDATE webhook_endpoint SET secret = $3, modified_at = now(),
       previous_secret = CASE WHEN $4 > 0 THEN secret END,
       previous_until = CASE WHEN $4 > 0 THEN now() + $4 * interval '1 second' END
     WHERE ${OF_OWNER} RETURNING ${COLUMNS}`,
    [id, owner ?? null, sealedSecret, graceSeconds],
  );
  return rows[0] && toEndpoint(rows[0]);
}

export async function removeEndpoint(sql: Sql, owner: Owner, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(`DELETE FROM webhook_endpoint WHERE ${OF_OWNER}`, [id, owner ?? null]);
  return rowCount === 1;
}

/** Forgets secrets whose grace has ended. */
export async function forgetOldSecrets(sql: Sql): Promise<void> {
  await sql.query(
    'UPDATE webhook_endpoint SET previous_secret = NULL, previous_until = NULL WHERE previous_until <= now()',
  );
}

function secretsOf({ secret, previous_secret: previous }: EndpointRow): StoredSecrets {
  return previous === null ? [secret] : [secret, previous];
}

function toEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    owner: row.owner,
    url: row.url,
    description: row.description,
    events: row.events,
    ...(row.farms && { farms: row.farms }),
    enabled: row.enabled,
    ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason }),
    ...(row.disabled_at && { disabledDate: row.disabled_at.getTime() }),
    ...(row.failing_since && { failingSince: row.failing_since.getTime() }),
    ...(row.previous_until && { previousSecretUntil: row.previous_until.getTime() }),
    creationDate: row.created_at.getTime(),
    lastModifiedDate: row.modified_at.getTime(),
  };
}
