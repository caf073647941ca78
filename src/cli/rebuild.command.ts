import type { Command } from 'commander';
import { EventStore, rebuild } from '../event-store/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { withOwner } from './owner.js';
import { Progress } from './progress.js';

/** For a read model that the audit found wrong, or whose shape a release has changed. Beside the working service. */
export function rebuildCommand(program: Command): void {
  addCommand(program, 'rebuild', 'make a read model again from the events')
    .argument('<read-model>', 'its name; an unknown one lists them')
    .action(rebuildReadModel);
}

async function rebuildReadModel(name: string, options: CommonOptions): Promise<void> {
  const progress = new Progress('rebuild');
  const replayed = await withApplication(async (app) => {
    const store = app.get(EventStore);
    const known = [...store.readModels.keys()];
    if (!known.includes(name))
      throw new WrongUsage(`there is no read model ${name}; there are: ${known.join(', ')}`);
    return withOwner(app, (database) =>
      rebuild(database, store, name, (bucket, of) =>
        progress.show(`${bucket} of ${of} buckets`, bucket / of),
      ),
    );
  }).finally(() => progress.end());
  answer(options, { readModel: name, events: replayed }, `${name} is made again from ${replayed} events.`);
}
