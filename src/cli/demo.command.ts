import { createServer } from 'node:net';
import { CommandBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import { CreateApiKey, SCOPES } from '../auth/index.js';
import { Config, loadConfig } from '../config.js';
import type { RunningService } from '../main.js';
import { stopSignal, withDatabase } from './application.js';
import { addCommand, answer, type CommonOptions } from './command.js';
import { SAMPLE_FARM_ID } from './demo/sample-farm.js';
import { withSampleGrant } from './demo/sample-grant.js';
import type { Tell } from './demo/tell.js';
import { type SampleGrant, walkTheGrant } from './demo/token-walk.js';
import { bringFarmIn, showReports } from './demo/walk.js';
import { readyWords } from './serve.command.js';

type DemoOptions = CommonOptions & { readonly once?: true };

/** What is printed when no terminal says how wide it is. */
const USUAL_WIDTH = 120;

/**
 * The main job on a sample farm, then serving until stopped. With --json one line per event: `ready`, `imported`, `authorized`,
 * a `report` each, `done`, and those of `serve`. A second run finds the first one's farm and leaves it as it is.
 */
export function demoCommand(program: Command): void {
  addCommand(program, 'demo', 'serve with a sample farm and show every report on it')
    .option('--once', 'stop when everything was shown, instead of serving on')
    .action(async (options: DemoOptions) => {
      const stopped = stopSignal();
      const { serve } = await import('../main.js');
      const given = loadConfig();
      const tell: Tell = (event, words) => answer(options, event, words);
      await withDatabase(given, async (found) => {
        const service = await serve(await settled(found));
        const { url } = service;
        tell({ event: 'ready', role: 'all', url }, `${readyWords(given, url)}\n`);
        try {
          await withSampleGrant(service.app.get(CommandBus), async (grant) => {
            const shown = await walkUnless(stopped, (telling) => walk(service, grant, telling), tell);
            if (!shown && options.once) throw new Error('stopped before everything was shown');
            if (options.once) return;
            if (shown) tell({ event: 'serving', url }, `Serving at ${url ?? ''} until you press Ctrl-C.`);
            const signal = await stopped;
            tell({ event: 'stopping', signal }, `Stopping (${signal}).`);
          });
        } finally {
          await service.close();
        }
      });
      tell({ event: 'stopped' }, 'Stopped.');
    });
}

/** A farm system brings the farm in with its key; an application makes the reports with a token that a person allowed it. */
async function walk({ url = '', app }: RunningService, grant: SampleGrant, tell: Tell): Promise<void> {
  const key = new CreateApiKey('Muster demo', SCOPES, [SAMPLE_FARM_ID]);
  const { apiKey } = await app.get(CommandBus).execute(key);
  const pasted = { 'x-api-key': apiKey };
  const width = process.stdout.columns || USUAL_WIDTH;
  await bringFarmIn({ url, credentials: { apiKey }, pasted, width, tell });
  const token = await walkTheGrant(url, grant, tell);
  await showReports({ url, credentials: { token: () => token }, pasted, width, tell });
  tell(
    { event: 'done' },
    'These were the reports of the sample farm. Paste any of the lines above to repeat a step.',
  );
}

/** Answers whether the walk came to its end; one that was stopped is silent from then on. */
async function walkUnless(
  stopped: Promise<unknown>,
  walk: (tell: Tell) => Promise<void>,
  tell: Tell,
): Promise<boolean> {
  let silent = false;
  const walked = walk((event, words) => silent || tell(event, words));
  silent = await Promise.race([walked.then(() => false), stopped.then(() => true)]);
  return !silent;
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
