import { CommandBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import { Erasure } from '../erasure/index.js';
import { InvalidFarm, SaveFarm } from '../farm-records/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { withOwner } from './owner.js';
import { Progress } from './progress.js';

interface FarmOptions extends CommonOptions {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
  readonly animalUnit?: string;
  readonly areaUnit?: string;
  readonly currency?: string;
}

export class NoSuchFarm extends Error {
  constructor(id: string) {
    super(`there is no farm ${id}: make it with muster farm create`);
  }
}

/** `farm create` also changes a farm that exists; what is left out then stays as it is. */
export function farmCommand(program: Command): void {
  const farm = program.command('farm').description('farms');
  addCommand(farm, 'create', 'create a farm, or change its settings')
    .requiredOption('--id <id>', 'how records and reports name it')
    .requiredOption('--name <name>', 'how people name it')
    .requiredOption('--time-zone <zone>', 'IANA time zone of its days, such as Australia/Sydney')
    .option('--animal-unit <unit>', 'unit of animal load: dse, ae, lsu or au (ae unless said)')
    .option('--area-unit <unit>', 'ha or ac (ha unless said)')
    .option('--currency <code>', 'ISO 4217 code (AUD unless said)')
    .action(create);
  addCommand(farm, 'erase', 'remove a farm for good: its records, reports, contents, and who had access')
    .argument('<id>', 'the farm')
    .option('--yes', 'I know that nothing brings it back but a backup')
    .action(erase);
}

async function erase(
  id: string,
  { yes, ...options }: CommonOptions & { readonly yes?: true },
): Promise<void> {
  if (!yes) throw new WrongUsage(`nothing brings ${id} back once it is erased: say --yes`);
  const progress = new Progress('erase');
  const streams = await withApplication((app) =>
    withOwner(app, (owner) =>
      app.get(Erasure).erase(owner, id, (erased) => progress.show(`${erased} reports`)),
    ),
  ).finally(() => progress.end());
  if (streams === undefined) throw new NoSuchFarm(id);
  answer(options, { farm: id, reports: streams }, `${id} is erased, with ${streams} reports.`);
}

async function create({ id, json, ...settings }: FarmOptions): Promise<void> {
  const { farm, created } = await withApplication((app) =>
    app.get(CommandBus).execute(new SaveFarm(id, settings)),
  ).catch(refuse);
  answer(
    { ...(json && { json }) },
    farm,
    `Farm ${farm.id} (${farm.name}, ${farm.timeZone}) is ${created ? 'created' : 'changed'}.`,
  );
}

function refuse(error: unknown): never {
  throw error instanceof InvalidFarm ? new WrongUsage(error.message) : error;
}
