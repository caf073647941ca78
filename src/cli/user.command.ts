import { text } from 'node:stream/consumers';
import { CommandBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import { CreatePerson, DisablePerson } from '../auth/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions } from './command.js';

interface CreateOptions extends CommonOptions {
  readonly email: string;
  readonly farm: string[];
  readonly passwordStdin?: true;
}

/** People who can sign in: `user create`, `user disable`. */
export function userCommand(program: Command): void {
  const user = program.command('user').description('let people sign in, or no longer');

  addCommand(user, 'create', 'let a person sign in; a password that is made up is shown this once')
    .requiredOption('--email <email>', 'the address they sign in with')
    .requiredOption('--farm <farm...>', 'farms they own or work on')
    .option('--password-stdin', 'read the password from standard input')
    .action(create);

  addCommand(user, 'disable', "end a person's sessions and all access in their name")
    .argument('<email>', 'the address they sign in with')
    .action(disable);
}

async function create(options: CreateOptions): Promise<void> {
  const password = options.passwordStdin && (await text(process.stdin)).replace(/\r?\n$/, '');
  const command = new CreatePerson(options.email, options.farm, password);
  const created = await withApplication((app) => app.get(CommandBus).execute(command));
  const told =
    created.password === undefined ? '' : ` with the password, shown this once:\n${created.password}`;
  answer(options, created, `${created.email} can sign in${told || '.'}`);
}

async function disable(email: string, options: CommonOptions): Promise<void> {
  const disabled = await withApplication((app) => app.get(CommandBus).execute(new DisablePerson(email)));
  if (!disabled) throw new Error(`nobody signs in as ${email}`);
  answer(options, { email, disabled }, `${email} can no longer sign in.`);
}
