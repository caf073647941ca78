import { type Command, Option } from 'commander';
import { Config, loadConfig } from '../config.js';
import { stopSignal, withDatabase } from './application.js';
import { addCommand, answer, type CommonOptions } from './command.js';

type ServeOptions = CommonOptions & { readonly role?: Config['ROLE'] };

/** With --json one line per event of the process: `ready` with its role and address, `stopping`, `stopped`. */
export function serveCommand(program: Command): void {
  addCommand(program, 'serve', 'serve until stopped by SIGTERM or Ctrl-C')
    .addOption(
      new Option('--role <role>', 'answer HTTP, generate reports, or both').choices(['all', 'api', 'worker']),
    )
    .action(async (options: ServeOptions) => {
      const stopped = stopSignal();
      const { serve } = await import('../main.js');
      const given = loadConfig(undefined, options.role);
      await withDatabase(given, async (found) => {
        const config = Object.assign(new Config(), found);
        const service = await serve(config);
        const { url, operationsUrl } = service;
        const places = { ...(url && { url }), ...(operationsUrl && { operationsUrl }) };
        answer(options, { event: 'ready', role: config.ROLE, ...places }, readyWords(given, url));
        const signal = await stopped;
        answer(options, { event: 'stopping', signal }, `Stopping (${signal}).`);
        await service.close();
      });
      answer(options, { event: 'stopped' }, 'Stopped.');
    });
}

/** What people are told when a process is ready. */
export function readyWords(given: Config, url: string | undefined): string {
  const place = given.DATABASE_URL ? '' : `, on the embedded PostgreSQL in ${given.MUSTER_DATA_DIR}`;
  return url ? `Muster is ready at ${url}${place}.` : `Muster's worker is ready${place}.`;
}
