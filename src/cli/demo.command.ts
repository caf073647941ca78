import { createServer } from 'node:net';
import { CommandBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import { CreateApiKey, SCOPES } from '../auth/index.js';
import { Config, loadConfig } from '../config.js';
import type { RunningService } from '../main.js';
import { withDatabase } from './application.js';
import { addCommand, answer, type CommonOptions } from './command.js';
import { SAMPLE_FARM_ID } from './demo/sample-farm.js';
import { bringFarmIn, showReports, type Tell } from './demo/walk.js';
import { readyWords, stopSignal } from './serve.command.js';

type DemoOptions = CommonOptions & { readonly once?: true };

/** What is printed when no terminal says how wide it is. */
const USUAL_WIDTH = 120;

/**
 * The main job on a sample farm, then serving until stopped. With --json one line per event: `ready`, `imported`, a `report`
 * each, `done`, and those of `serve`. A second run finds the first one's farm and leaves it as it is.
 */
export function demoCommand(program: Command): void {
  addCommand(program, 'demo', 'serve with a sample farm and show every report on it')
    .option('--once', 'stop when everything was shown, instead of serving on')
    .action(async (options: DemoOptions) => {
      const stopped = stopSignal();
      const { serve } = await import('../main.js');
      const given = loadConfig();
      await withDatabase(given, async (found) => {
        const service = await serve(await settled(found));
        try {
          const tell: Tell = (event, words) => answer(options, event, words);
          tell({ event: 'ready', role: 'all', url: service.url }, `${readyWords(given, service.url)}\n`);
          await Promise.race([walk(service, tell), stopped]);
          if (options.once) return;
          tell(
            { event: 'serving', url: service.url },
            `Serving at ${service.url ?? ''} until you press Ctrl-C.`,
          );
          const signal = await stopped;
          tell({ event: 'stopping', signal }, `Stopping (${signal}).`);
        } finally {
          await service.close();
        }
      });
      answer(options, { event: 'stopped' }, 'Stopped.');
    });
}

async function walk({ url = '', app }: RunningService, tell: Tell): Promise<void> {
  const key = new CreateApiKey('Muster demo', SCOPES, [SAMPLE_FARM_ID]);
  const { apiKey } = await app.get(CommandBus).execute(key);
  const by = { url, credential: { 'x-api-key': apiKey }, width: process.stdout.columns || USUAL_WIDTH, tell };
  await bringFarmIn(by);
  await showReports(by);
  tell(
    { event: 'done' },
    'These were the reports of the sample farm. Paste any of the lines above to repeat a step.',
  );
}

/** A process that serves HTTP and makes reports, quiet unless LOG_LEVEL asks for more; beside another service, on another port. */
async function settled(config: Config): Promise<Config> {
  return Object.assign(new Config(), config, {
    ROLE: 'all',
    LOG_LEVEL: config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL,
    PORT: (await isFree(config)) ? config.PORT : 0,
  });
}

function isFree({ PORT, HOST }: Config): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer()
    .once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    .listen(PORT, HOST, () => probe.close(() => resolve(true)));
  return promise;
}
