import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config.js';
import { Database } from '../database/database.js';
import { GRACE_MS } from './grants/refresh-grant.js';
import { SecurityLog } from './security-events.js';

const EVERY_MS = 15_000;
const BATCH = 1_000;

/** What has served its time. A family goes a month after its end, so that a late replay is still told from an unknown token. */
const STATEMENTS = [
  `UPDATE oauth_refresh SET grace_answer = NULL WHERE hash IN
     (SELECT hash FROM oauth_refresh WHERE grace_answer IS NOT NULL AND spent_at < now() - interval '${GRACE_MS} ms' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  ...['oauth_access', 'oauth_code', 'person_session'].map(
    (table) => `DELETE FROM ${table} WHERE hash IN
     (SELECT hash FROM ${table} WHERE expires_at < now() - interval '1 hour' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  ),
  `DELETE FROM failure_window WHERE subject IN
     (SELECT subject FROM failure_window WHERE ends_at < now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  `WITH ended AS (SELECT id FROM oauth_family WHERE expires_at < now() - interval '30 days' LIMIT 20 FOR UPDATE SKIP LOCKED),
     access AS (DELETE FROM oauth_access WHERE family_id IN (SELECT id FROM ended))
     DELETE FROM oauth_refresh WHERE family_id IN (SELECT id FROM ended)`,
  `DELETE FROM oauth_family family WHERE expires_at < now() - interval '30 days'
     AND NOT EXISTS (SELECT FROM oauth_refresh WHERE family_id = family.id) AND NOT EXISTS (SELECT FROM oauth_access WHERE family_id = family.id)`,
];

/** Removes what has expired, a little at a time, in every process that answers HTTP. */
@Injectable()
export class Sweep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Sweep');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly securityLog: SecurityLog,
  ) {}

  onModuleInit(): void {
    if (this.config.ROLE === 'worker') return;
    this.timer = setInterval(() => {
      this.running ??= this.run().finally(() => (this.running = undefined));
    }, EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async sweep(): Promise<void> {
    for (const statement of STATEMENTS) await this.exhaust(statement);
    await this.securityLog.forget(this.database, this.config.SECURITY_EVENT_DAYS);
  }

  private async run(): Promise<void> {
    await this.sweep().catch((error: unknown) => {
      this.logger.debug({ err: error }, 'expired credentials stay for the next sweep');
    });
  }

  private async exhaust(statement: string): Promise<void> {
    for (let rows = BATCH; rows >= BATCH;) rows = (await this.database.query(statement)).rowCount ?? 0;
  }
}
