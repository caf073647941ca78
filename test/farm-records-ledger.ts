import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import { Client } from 'pg';
import { servingUrl } from '../src/database/index.js';
import { Importer } from '../src/farm-records/importer.js';
import type { ImportSummary } from '../src/farm-records/index.js';
import { readCsv, readJson, readNdjson } from '../src/farm-records/index.js';
import { openFarmRecords } from '../src/farm-records/open-farm-records.js';
import type { FarmRecords } from '../src/farm-records/reader.js';
import { FarmSaver } from '../src/farm-records/save-farm.js';
import { freshDatabase, openDatabase } from './support/database.js';

/** Farms of a database of a test's own, as the import writes them and a generator reads them. */
export async function openLedger() {
  const fresh = await freshDatabase();
  const opened = openDatabase(fresh.url);
  const { database } = opened;
  const importer = new Importer(database);
  const saver = new FarmSaver(database);
  let farms = 0;
  const farm = (id: string, settings: object = {}) =>
    saver.save(id, { name: id, timeZone: 'Australia/Sydney', ...settings });
  const importJson = (id: string, records: readonly object[]): Promise<ImportSummary> =>
    importer.import(id, [readJson(Buffer.from(JSON.stringify(records)))], true);
  const newFarm = async (settings?: object): Promise<string> => {
    const id = `farm-${++farms}`;
    await farm(id, settings);
    return id;
  };
  return {
    database,
    farm,
    /** One more farm; answers its id. */
    newFarm,
    /** One more farm with these records, none of which may be refused; answers its id. */
    async farmWith(records: readonly object[], settings?: object): Promise<string> {
      const id = await newFarm(settings);
      expect(await importJson(id, records)).toMatchObject({ rejected: 0 });
      return id;
    },
    import: importJson,
    importLines: (id: string, lines: string | readonly Buffer[]): Promise<ImportSummary> =>
      importer.import(id, readNdjson(streamOf(lines))),
    importCsv: (id: string, text: string | Buffer): Promise<ImportSummary> =>
      importer.import(
        id,
        readCsv(streamOf([Buffer.from(text)]), { currency: 'AUD', timeZone: 'Australia/Sydney' }),
      ),
    /** One snapshot, open while `work` runs. */
    async read<T>(id: string, work: (records: FarmRecords) => Promise<T>): Promise<T> {
      const client = new Client({ connectionString: servingUrl(fresh.url) });
      await client.connect();
      try {
        return await work(await openFarmRecords(client, id));
      } finally {
        await client.end();
      }
    },
    /** The ledger in its order, without what depends on the order of arrival. */
    async lines(id: string): Promise<string[]> {
      const { rows } = await database.query<{ line: string }>(
        `SELECT concat_ws(' ', r.source_id, l.line, l.day, l.category, l.species, l.enterprise, l.age_class, l.mob, l.paddock, l.animal,
                          l.managed, l.delta, l.head, trim_scale(l.value), l.book, l.whp_clear, l.esi_clear, nullif(l.empties, false)) AS line
           FROM head_line l JOIN farm_record r ON r.bucket = l.bucket AND r.farm_id = l.farm_id AND r.number = l.record
          WHERE l.farm_id = $1 ORDER BY l.turn, l.line`,
        [id],
      );
      return rows.map(({ line }) => line);
    },
    /** What keeps sums of the ledger and does not agree with it. */
    async disagreements(id: string): Promise<object[]> {
      const { rows } = await database.query(
        `SELECT * FROM (
           SELECT month::text AS what, species, enterprise, age_class, mob, paddock, category, sum(delta) AS delta, sum(value) AS value, sum(lines) AS lines FROM (
             SELECT month, species, enterprise, age_class, mob, paddock, category, delta, value, lines FROM monthly_flow WHERE farm_id = $1
             UNION ALL
             SELECT date_trunc('month', day)::date, species, enterprise, age_class, mob, paddock, category, -delta, -coalesce(value, 0), -1
               FROM head_line WHERE farm_id = $1 AND delta <> 0) AS flow
            GROUP BY 1, 2, 3, 4, 5, 6, 7
           UNION ALL
           SELECT unit || ' ' || begins, species, enterprise, age_class, '', '', category, sum(delta), sum(value), sum(lines) FROM (
             SELECT unit, begins, species, enterprise, age_class, category, delta, value, lines FROM class_flow WHERE farm_id = $1
             UNION ALL
             SELECT unit, date_trunc(unit, day::timestamp)::date, species, enterprise, age_class, category, -delta, -coalesce(value, 0), -1
               FROM head_line, unnest(ARRAY['day', 'month', 'quarter', 'year']) AS unit WHERE farm_id = $1 AND delta <> 0) AS class_flow
            GROUP BY 1, 2, 3, 4, 7
           UNION ALL
           SELECT managed::text, species, enterprise, age_class, mob, paddock, NULL, sum(head), 0, sum(lines) FROM (
             SELECT managed, species, enterprise, age_class, mob, paddock, head, lines FROM head_balance WHERE farm_id = $1
             UNION ALL
             SELECT managed, species, enterprise, age_class, mob, paddock, -delta, -1 FROM head_line WHERE farm_id = $1 AND delta <> 0) AS balance
            GROUP BY 1, 2, 3, 4, 5, 6) AS sums
          WHERE delta <> 0 OR value <> 0 OR lines <> 0`,
        [id],
      );
      return rows;
    },
    async close(): Promise<void> {
      await opened.close();
      await fresh.drop();
    },
  };
}

function streamOf(lines: string | readonly Buffer[]): Readable {
  return Readable.from(typeof lines === 'string' ? [Buffer.from(lines)] : lines);
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

export async function collect<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

/** The envelope of a record that says its id and nothing else. */
export const meta = (sourceId: string, more: object = {}) => ({
  meta: { source: 'test', sourceId, modified: '2025-07-01T00:00:00Z', ...more },
});
