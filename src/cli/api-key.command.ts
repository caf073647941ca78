import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import { type ApiKey, CreateApiKey, ListApiKeys, RevokeApiKey, SCOPES } from '../auth/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, listed } from './command.js';

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly farm: string[];
  readonly scope: string[];
}

/** Keys for systems: `api-key create`, `api-key revoke`, `api-key list`. */
export function apiKeyCommand(program: Command): void {
  const apiKey = program.command('api-key').description('issue, revoke and list the API keys of systems');

  addCommand(apiKey, 'create', 'issue a key; it is shown this once')
    .requiredOption('--name <name>', 'whose key it is')
    .requiredOption('--farm <farm...>', "farms it reaches; '*' for every farm")
    .requiredOption('--scope <scope...>', `what it allows: ${SCOPES.join(', ')}`)
    .action(create);

  addCommand(apiKey, 'revoke', 'end a key at once')
    .argument('<id>', 'the id of the key, such as ak_…')
    .action(revoke);

  addCommand(apiKey, 'list', 'show every key that was issued').action(list);
}

async function create(options: CreateOptions): Promise<void> {
  const command = new CreateApiKey(
    options.name,
    options.scope.flatMap(listed),
    options.farm.includes('*') ? 'all' : options.farm,
  );
  const issued = await withApplication((app) => app.get(CommandBus).execute(command));
  answer(options, issued, `Key ${issued.id}, shown this once:\n${issued.apiKey}`);
}

async function revoke(id: string, options: CommonOptions): Promise<void> {
  const revoked = await withApplication((app) => app.get(CommandBus).execute(new RevokeApiKey(id)));
  if (!revoked) throw new Error(`there is no key ${id} in force`);
  answer(options, { id, revoked }, `Key ${id} is revoked.`);
}

async function list(options: CommonOptions): Promise<void> {
  const keys = await withApplication((app) => app.get(QueryBus).execute(new ListApiKeys()));
  answer(options, { data: keys }, keys.map(describe).join('\n') || 'No key has been issued.');
}

function describe({ id, name, scopes, farms, revokedAt }: ApiKey): string {
  const reach = farms === 'all' ? 'every farm' : farms.join(', ');
  return `${id}  ${name}  ${scopes.join(' ')}  ${reach}${revokedAt ? `  revoked ${revokedAt.toISOString()}` : ''}`;
}
