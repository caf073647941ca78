import { Client, Pool } from 'pg';
import { servingUrl } from '../database/connection-urls.js';
import { Database } from '../database/database.js';
import { openFarmRecords } from '../farm-records/open-farm-records.js';
import { Importer } from '../farm-records/importer.js';
import { readJson } from '../farm-records/import-items.js';
import type { FarmRecords } from '../farm-records/reader.js';
import { FarmSaver } from '../farm-records/save-farm.js';
import type { Cell, Column, RowType } from '../generators/generator.js';
import { declarationOf, type GeneratorClass } from '../generators/report-generator.js';

import { testDatabase } from './test-database.js';
import { makeReport, type MadeReport } from './trial.js';

/** A row by column name, blank cells left out. */
export type ShownRow = { readonly row_type: RowType } & Readonly<Record<string, Cell>>;

export interface TestReport {
  /** The rows in their order. */
  readonly rows: readonly ShownRow[];
  readonly warnings: readonly string[];
  /** Sums of the columns declared with `controlTotal`, over the detail rows. */
  readonly controlTotals: Readonly<Record<string, string>>;
  /** The content as callers download it: `csv`, `json`, `ndjson`; `xlsx` in base64. */
  readonly files: Readonly<Record<string, string>>;
}

/** Settings as `PUT /v2/farms/{farmId}` takes them; what is left out is Australia/Sydney, dse, ha, AUD, 07-01. */
export type FarmSettings = Readonly<Record<string, unknown>>;

/** A farm of a test's own. */
export interface TestFarm {
  readonly id: string;
  /** Imports more records, in any order. Throws when one is refused. */
  tell(...records: readonly object[]): Promise<void>;
  /** One snapshot of the farm, open while `work` runs: what a generator reads through. */
  read<T>(work: (records: FarmRecords) => Promise<T>): Promise<T>;
  /** The report that a generator makes of the farm from `start` to `end`, days of the farm, both inclusive. */
  report(generator: GeneratorClass, start: string, end: string): Promise<TestReport>;
}

/**
 * Farms on a real PostgreSQL for the tests of report types: the embedded one, or the migrated database that `databaseUrl` names.
 * Opening takes some seconds the first time, when the server's files are made. Close it after the tests.
 */
export class TestFarms {
  private farms = 0;

  private constructor(
    /** With the rights and settings of the service. */
    readonly databaseUrl: string,
    private readonly pool: Pool,
    private readonly leave: () => Promise<void>,
  ) {}

  static async open(databaseUrl?: string): Promise<TestFarms> {
    const found = databaseUrl ? { url: databaseUrl, leave: async () => undefined } : await testDatabase();
    const url = servingUrl(found.url);
    const pool = new Pool({ connectionString: url, max: 4 });
    pool.on('error', () => undefined);
    return new TestFarms(url, pool, () => found.leave());
  }

  /**
   * A new farm with its records, written as they are imported. A record without `meta` gets one, so that a test need
   * not say it: `{ resourceType: 'OpeningStock', date: '2024-07-01', lines: [...] }` is enough.
   */
  async farm(records: readonly object[] = [], settings: FarmSettings = {}): Promise<TestFarm> {
    const id = `farm-${++this.farms}`;
    const database = new Database(this.pool);
    const name = { name: id, timeZone: 'Australia/Sydney', animalUnit: 'dse', currency: 'AUD' };
    await new FarmSaver(database).save(id, { ...name, ...settings });
    const importer = new Importer(database);
    let told = 0;
    const tell = async (more: readonly object[]): Promise<void> => {
      const enveloped = more.map((record) => ({ ...envelope(++told), ...record }));
      const summary = await importer.import(id, [readJson(Buffer.from(JSON.stringify(enveloped)))]);
      if (summary.rejected > 0) throw new RefusedRecords(summary.errors);
    };
    await tell(records);
    return {
      id,
      tell: (...more) => tell(more),
      read: (work) => this.read(id, work),
      report: (generator, start, end) => this.report(id, generator, start, end),
    };
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.leave();
  }

  private async read<T>(farmId: string, work: (records: FarmRecords) => Promise<T>): Promise<T> {
    return this.withClient(async (client) => {
      try {
        return await work(await openFarmRecords(client, farmId));
      } finally {
        await client.query('ROLLBACK');
      }
    });
  }

  private async report(
    farmId: string,
    generator: GeneratorClass,
    start: string,
    end: string,
  ): Promise<TestReport> {
    const columns = declarationOf(generator)?.columns;
    if (!columns) throw new Error(`${generator.name} is no report type: it has no @ReportGenerator`);
    const made = await this.withClient((client) => makeReport(client, generator, farmId, { start, end }));
    return shown(made, columns);
  }

  private async withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

/** Records of a test that cannot be imported; the message says which and why. */
export class RefusedRecords extends Error {
  constructor(errors: readonly object[]) {
    super(`Records were refused: ${JSON.stringify(errors)}`);
  }
}

function envelope(number: number): object {
  const sourceId = `r${String(number).padStart(6, '0')}`;
  return { id: sourceId, meta: { source: 'kit', sourceId, modified: '2025-01-01T00:00:00Z' } };
}

function shown({ rows, warnings, controlTotals, files }: MadeReport, columns: readonly Column[]): TestReport {
  const named = rows.map(({ rowType, cells }) => ({
    row_type: rowType,
    ...Object.fromEntries(
      columns.flatMap(({ name }, index) => (cells[index] === null ? [] : [[name, cells[index] as Cell]])),
    ),
  }));
  return { rows: named, warnings, controlTotals, files };
}
