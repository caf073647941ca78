import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, afterEach } from '@jest/globals';
import { embeddedGenerationUrl } from '../../src/database/index.js';
import { CheckedAnswers } from './checked-answers.js';
import { spawnMuster } from './muster.js';

const READY_WITHIN_MILLISECONDS = 60_000;

export interface ServiceOptions {
  /** Undefined: the embedded database of env.MUSTER_DATA_DIR. */
  readonly databaseUrl?: string;
  readonly role?: 'all' | 'api' | 'worker';
  readonly env?: NodeJS.ProcessEnv;
  /** Where it runs; the test's own folder unless said. */
  readonly folder?: string;
}

export interface StartedService {
  /** Where it listens; empty for a worker. */
  readonly url: string;
  /** Where health and metrics are, when env.OPERATIONS_PORT gives them a port of their own. */
  readonly operationsUrl: string;
  readonly child: ChildProcess;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** All it has written so far. */
  logs(): string;
}

const started = new Set<StartedService>();

const answers: CheckedAnswers[] = [];

/** Every answer to a test is one that the service describes: an undeclared one fails the test. */
afterEach(checkAnswers);

afterAll(async () => {
  await Promise.all([...started].map((service) => service.kill()));
  checkAnswers();
  for (const checked of answers) checked.end();
});

function checkAnswers(): void {
  const faults = new Set(answers.flatMap((checked) => checked.faults()));
  if (faults.size > 0) throw new Error(`Answers are not as described:\n${[...faults].join('\n')}`);
}

/** Starts a process of the built service on a port of its own, and answers when it says that it is ready. */
export async function startService({
  databaseUrl,
  role = 'all',
  env,
  folder,
}: ServiceOptions): Promise<StartedService> {
  const checked = new CheckedAnswers();
  answers.push(checked);
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    ...(databaseUrl && {
      DATABASE_URL: databaseUrl,
      GENERATION_DATABASE_URL: embeddedGenerationUrl(databaseUrl),
    }),
    ...checked.env,
    ...env,
  };
  const child = spawnMuster(['serve', '--json', '--role', role], settings, folder);
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (written += text));
  const gone = once(child, 'close') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = await gone;
    started.delete(service);
    return code;
  };
  const service = {
    url: '',
    operationsUrl: '',
    child,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    logs: () => written,
  };
  started.add(service);
  const places = await Promise.race([ready(child.stdout), gone.then(() => undefined), late()]);
  if (places === undefined) {
    await service.kill();
    throw new Error(`The service did not become ready:\n${written}`);
  }
  if (role !== 'worker') {
    const listening = env?.PUBLIC_URL === undefined ? places.url : `http://127.0.0.1:${env.PORT ?? ''}`;
    await checked.begin(
      listening,
      `${process.env.MUSTER_TEST_BUILD ?? ''} ${env?.MUSTER_REPORT_MODULES ?? ''}`,
    );
  }
  return Object.assign(service, places);
}

async function ready(stdout: NodeJS.ReadableStream): Promise<Pick<StartedService, 'url' | 'operationsUrl'>> {
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const { event, url = '', operationsUrl = '' } = JSON.parse(line) as Record<string, string | undefined>;
      if (event === 'ready') resolve({ url, operationsUrl });
    });
  });
}

function late(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), READY_WITHIN_MILLISECONDS).unref());
}
