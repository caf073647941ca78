import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { embeddedGenerationUrl, migrate } from '../../src/database/index.js';
import type { StartedService } from '../support/service.js';
import { Ground, pause } from './support/ground.js';
import { until } from '../support/until.js';
import { InstalledPostgres } from './support/installed-postgres.js';
import { OwnPostgres } from './support/own-postgres.js';

let source: InstalledPostgres;
let ground: Ground;
let api: StartedService;
let restored: Ground | undefined;
const told = { completed: '', running: '' };

beforeAll(async () => {
  source = await InstalledPostgres.prepare();
  await source.create();
  const postgres = await OwnPostgres.over(source.home, source);
  await migrate(postgres.url, embeddedGenerationUrl(postgres.url));
  ground = await Ground.open(postgres);
  api = await ground.start('api');
  await ground.start('worker');
  const [farm, other] = [await ground.farm(), await ground.farm()];
  told.completed = await ground.createForSure(() => api.url, 'wandering.v1', farm);
  await ground.allEnded();
  told.running = await ground.createForSure(() => api.url, 'gated.v1', other);
  await until('it is running', async () => (await ground.life(told.running)).length === 2);
});

afterAll(async () => {
  await restored?.close();
  await ground?.close();
});

/** Creates go on while a backup is taken; what is acknowledged before it began is in it. */
async function whileWorking(backup: () => Promise<void>): Promise<void> {
  let working = true;
  const farm = await ground.farm();
  const load = (async () => {
    while (working) {
      await ground.create(api.url, 'brief.v1', farm);
      await pause(10);
    }
  })();
  await backup();
  working = false;
  await load;
}

async function goesOn(postgres: OwnPostgres, acknowledged: readonly string[]): Promise<void> {
  restored = await Ground.open(postgres);
  for (const id of acknowledged) restored.acknowledged.add(id);
  await restored.audited();
  const revived = await restored.start('all');
  const before = await ground.send(api.url, 'GET', `/v2/report/${told.completed}/download`);
  const after = await restored.send(revived.url, 'GET', `/v2/report/${told.completed}/download`);
  expect([after.status, after.body]).toEqual([200, before.body]);
  const [row] = await postgres.query<{ tenant_id: string }>(
    'SELECT tenant_id FROM report WHERE report_id = $1',
    [told.running],
  );
  const farm = row?.tenant_id as string;
  await restored.openGate(farm);
  await restored.createForSure(() => revived.url, 'brief.v1', farm);
  await restored.allEnded();
  expect((await restored.life(told.running)).at(-1)).toBe('ReportCompleted');
  await restored.audited();
  await restored.close();
  restored = undefined;
}

it('a base backup of the working service is started elsewhere: the auditor is content, and the service goes on', async () => {
  const acknowledged = [...ground.acknowledged];
  const copy = await InstalledPostgres.prepare();
  const from = ground.postgres.url;
  await whileWorking(() =>
    copy.program('pg_basebackup', [
      '--dbname',
      from,
      '--pgdata',
      copy.data,
      '--checkpoint',
      'fast',
      '--wal-method',
      'stream',
    ]),
  );
  await goesOn(await OwnPostgres.over(copy.home, copy), acknowledged);
});

it('a logical dump of the working service is restored into a new cluster: content, and the service goes on', async () => {
  const acknowledged = [...ground.acknowledged];
  const copy = await InstalledPostgres.prepare();
  await copy.create();
  const dump = `${copy.home}/muster.dump`;
  const from = ground.postgres.url;
  await whileWorking(() => copy.program('pg_dump', ['--format', 'custom', '--file', dump, from]));
  const postgres = await OwnPostgres.over(copy.home, copy);
  await postgres.query('CREATE ROLE muster_service NOLOGIN');
  await postgres.query('CREATE ROLE muster_generator NOLOGIN');
  await postgres.query('GRANT muster_service, muster_generator TO CURRENT_USER');
  const into = ['--no-owner', '--exit-on-error', '--single-transaction'];
  await copy.program('pg_restore', ['--dbname', postgres.url, ...into, dump]);
  expect(await migrate(postgres.url, embeddedGenerationUrl(postgres.url))).toEqual([]);
  await goesOn(postgres, acknowledged);
});
