import type { Client, ClientBase } from 'pg';
import { type CopiedCell, copiedRows } from './copied-rows.js';

/**
 * Connections that see one snapshot. Statements go through the first; a long result comes by COPY through the second, which takes no other
 * statement until its end. Where there is no second one, or it is at work, a cursor of the first has to do.
 */
export class SnapshotReading {
  private state: 'unused' | 'free' | 'at work';

  /** The first has begun a transaction that sees the snapshot; the caller ends those of both. */
  constructor(
    readonly first: ClientBase,
    private readonly second?: Client,
  ) {
    this.state = second ? 'unused' : 'at work';
  }

  get canCopy(): boolean {
    return this.state !== 'at work';
  }

  /** `settings` are those of the statement, such as `enable_nestloop = off`. */
  async *copy(
    text: string,
    values: readonly unknown[],
    settings: readonly string[] = [],
  ): AsyncGenerator<CopiedCell[][]> {
    const { second } = this;
    if (!second || !this.canCopy) throw new Error('there is no connection to copy through');
    const isFirst = this.state === 'unused';
    this.state = 'at work';
    let isOver = false;
    try {
      if (isFirst) await this.share(second);
      for (const setting of settings) await second.query(`SET LOCAL ${setting}`);
      yield* copiedRows(second, text, values);
      for (const setting of settings)
        await second.query(`SET LOCAL ${setting.split(' ')[0] ?? ''} TO DEFAULT`);
      isOver = true;
    } finally {
      // Who stops reading leaves a connection that goes on sending: it is of no more use.
      if (isOver) this.state = 'free';
      else void second.end().catch(() => undefined);
    }
  }

  private async share(second: Client): Promise<void> {
    const { rows } = await this.first.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
    await second.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await second.query(`SET TRANSACTION SNAPSHOT '${rows[0]?.id ?? ''}'`);
  }
}
