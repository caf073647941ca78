import type { Command } from 'commander';
import { loadConfig } from '../config.js';
import { findDatabase, migrate } from '../database/index.js';
import { stoppable } from './application.js';
import { addCommand, answer, type CommonOptions } from './command.js';

export function migrateCommand(program: Command): void {
  addCommand(program, 'migrate', 'bring the database to the newest schema').action(
    async (options: CommonOptions) => {
      const orStopped = stoppable();
      const database = await findDatabase(loadConfig());
      try {
        const applied = await orStopped(migrate(database.url, database.generationUrl));
        answer(
          options,
          { applied },
          applied.length === 0
            ? 'Nothing to migrate.'
            : `Applied:\n${applied.map((name) => `  ${name}`).join('\n')}`,
        );
      } finally {
        await database.leave();
      }
    },
  );
}
