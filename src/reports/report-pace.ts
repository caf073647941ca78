import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { EVERY_BUCKET } from '../event-store/index.js';

const FRESH_MS = 10_000;
const SAMPLE = 1_000;

/** How long reports of late took to make, by the type that made them: three of four were no slower. */
@Injectable()
export class ReportPace {
  private readonly seconds = new Map<string, number>();
  private reading: Promise<void> | undefined;
  private readAt = -Infinity;

  constructor(private readonly database: Database) {}

  /** Seconds that a report of this type takes, or one of any type when none of it has been made; undefined at first. */
  async secondsOf(generator: string): Promise<number | undefined> {
    if (performance.now() - this.readAt > FRESH_MS) {
      this.readAt = performance.now();
      this.reading = this.read();
    }
    await this.reading;
    return this.seconds.get(generator) ?? this.ofAny();
  }

  /** Seconds that any report takes. */
  ofAny(): number | undefined {
    const all = [...this.seconds.values()];
    return all.length === 0 ? undefined : all.reduce((sum, one) => sum + one, 0) / all.length;
  }

  /** Types that have made nothing of late keep the pace that they had. */
  private async read(): Promise<void> {
    const { rows } = await this.database.query<{ generator: string; seconds: number }>({
      name: 'report-pace',
      text: `SELECT generator,
               percentile_cont(0.75) WITHIN GROUP (ORDER BY greatest(modified_at - started_at, 0)) / 1000 AS seconds
             FROM (SELECT generator, status, modified_at, started_at FROM report WHERE bucket = ANY ($1)
                   ORDER BY created_at DESC LIMIT ${SAMPLE}) newest
             WHERE status = 'completed' AND started_at IS NOT NULL GROUP BY generator`,
      values: [EVERY_BUCKET],
    });
    for (const { generator, seconds } of rows) this.seconds.set(generator, seconds);
  }
}
