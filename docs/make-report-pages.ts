import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  SAMPLE_FARM,
  SAMPLE_FARM_ID,
  SAMPLE_PERIOD,
  sampleFarmRecords,
} from '#muster/cli/demo/sample-farm.js';
import { Config } from '#muster/config.js';
import { Database, findMigratedDatabase, servingUrl } from '#muster/database/index.js';
import { Importer } from '#muster/farm-records/importer.js';
import { readJson } from '#muster/farm-records/index.js';
import { openFarmRecords } from '#muster/farm-records/open-farm-records.js';
import { FarmSaver } from '#muster/farm-records/save-farm.js';
import { Catalogue } from '#muster/generators/catalogue.js';
import { reportPages } from '#muster/generators/report-pages.js';

/** Writes docs/reports, a page for every report type with samples of the demo's farm. test/report-pages.spec.ts holds them. */
const folder = await mkdtemp(join(tmpdir(), 'muster-docs-'));
const found = await findMigratedDatabase(Object.assign(new Config(), { MUSTER_DATA_DIR: folder }));
const serving = new pg.Pool({ connectionString: servingUrl(found.url), max: 2 });
try {
  const database = new Database(serving);
  await new FarmSaver(database).save(SAMPLE_FARM_ID, SAMPLE_FARM);
  const items = readJson(Buffer.from(JSON.stringify(sampleFarmRecords())));
  await new Importer(database).import(SAMPLE_FARM_ID, [items], true);
  const client = await serving.connect();
  const records = await openFarmRecords(client, SAMPLE_FARM_ID);
  const catalogue = await Catalogue.load(join(import.meta.dirname, '../dist/generators'));
  const pages = await reportPages(catalogue, records, SAMPLE_PERIOD);
  client.release(true);
  const target = join(import.meta.dirname, 'reports');
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  for (const [name, text] of Object.entries(pages)) await writeFile(join(target, name), text);
  process.stdout.write(`${Object.keys(pages).length} pages in docs/reports\n`);
} finally {
  await serving.end();
  await found.leave();
  await rm(folder, { recursive: true, force: true });
}
