import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { StartedService } from '../support/service.js';
import { QUICK } from './support/chance.js';
import { Ground } from './support/ground.js';

const MB = 1024 * 1024;

let ground: Ground;
let api: StartedService;

beforeAll(async () => {
  ground = await Ground.open();
  api = await ground.start('api');
});

afterAll(() => ground?.close());

const opening = (id: string, more: object = {}) => ({
  resourceType: 'OpeningStock',
  id,
  meta: { source: 'test', sourceId: id, modified: '2024-07-01T00:00:00Z' },
  date: '2024-07-01',
  lines: [{ species: 'Sheep', ageClass: 'ewe', enterpriseId: 'wool', mobId: id, paddockId: 'p', head: 10 }],
  ...more,
});
const line = (record: object) => `${JSON.stringify(record)}\n`;

/** Sends pieces one by one, waiting where the service does; cut: breaks off instead of ending. */
function stream(
  farm: string,
  pieces: Iterable<string | Buffer>,
  cut = false,
): Promise<{ status: number; body: any }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${api.url}/v2/farms/${farm}/records`, {
      method: 'POST',
      headers: { 'x-api-key': ground.apiKey, 'content-type': 'application/x-ndjson' },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }));
    });
    void (async () => {
      for (const piece of pieces)
        if (!sent.write(piece)) await new Promise((drained) => sent.once('drain', drained));
      if (cut) sent.destroy(new Error('cut'));
      else sent.end();
    })();
  });
}

/** Most memory the process ever had, in bytes. */
async function peakMemory(): Promise<number> {
  const status = await readFile(`/proc/${api.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

it(`a line of ${QUICK ? 200 : 1_000} MB is one refused item between its good neighbours, memory flat`, async () => {
  const farm = await ground.farm();
  await stream(farm, [line(opening('warm'))]);
  const before = await peakMemory();
  function* pieces(): Iterable<string | Buffer> {
    yield line(opening('before'));
    yield '{"resourceType":"OpeningStock","x":"';
    const filling = Buffer.alloc(MB, 'x');
    for (let each = 0; each < (QUICK ? 200 : 1_000); each++) yield filling;
    yield `"}\n${line(opening('after'))}`;
  }
  const { status, body } = await stream(farm, pieces());
  expect([status, body.data.accepted, body.data.rejected]).toEqual([200, 2, 1]);
  expect(body.data.errors).toHaveLength(1);
  const grown = (await peakMemory()) - before;
  console.log(`memory grew by ${Math.round(grown / MB)} MB`);
  expect(grown).toBeLessThan(150 * MB);
  await ground.audited();
});

it('whatever else is wrong is an error of its item, and nothing of it is applied', async () => {
  const farm = await ground.farm();
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n`;
  const wrong = [
    deep,
    '{"resourceType":"OpeningStock","id":"nan","head":NaN}\n',
    line(opening('negative', { lines: [{ species: 'Sheep', ageClass: 'ewe', mobId: 'm', head: -5 }] })),
    line(opening('far', { date: '9999999-01-01' })),
    line(opening('never', { date: '2024-02-30' })),
    line(opening('nowhere', { eventDateTime: '2024-07-01T00:00:00[Mars/Olympus]', date: undefined })),
    line({ ...opening('huge'), lines: [{ species: 'Sheep', ageClass: 'ewe', mobId: 'm', head: 1e300 }] }),
    line({ resourceType: 'Unheard', id: 'x' }),
    '\u0000\n',
    '[[[[\n',
  ];
  const good = ['one', 'two', 'three'].map((id) => line(opening(id)));
  const twice = [line(opening('one')), line(opening('one'))];
  const { status, body } = await stream(farm, [good[0]!, ...wrong, good[1]!, ...twice, good[2]!]);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ accepted: 3, unchanged: 2, rejected: wrong.length });
  expect(await ground.count('SELECT sum(head) AS count FROM head_balance WHERE farm_id = $1', [farm])).toBe(
    30,
  );
  await ground.audited();
});

it('a stream that is cut leaves whole records only, and sent again is whole', async () => {
  const farm = await ground.farm();
  const many = QUICK ? 4_000 : 12_000;
  const records = Array.from({ length: many }, (_, nth) => line(opening(`r${nth}`)));
  const text = records.join('');
  const half = [text.slice(0, Math.floor(text.length * 0.7))];
  await expect(stream(farm, half, true)).rejects.toThrow('cut');
  await ground.audited();
  const { body } = await stream(farm, [text]);
  expect(body.data.accepted + body.data.unchanged).toBe(many);
  expect(await ground.count('SELECT count(*) FROM farm_record WHERE farm_id = $1', [farm])).toBe(many);
  await ground.audited();
});
