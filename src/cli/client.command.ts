import { CommandBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import {
  DisableClient,
  RegisterClient,
  type RegisteredClient,
  RotateClientSecret,
  SCOPES,
} from '../auth/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, listed, WrongUsage } from './command.js';

const A_DAY = '86400';

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly redirectUri: string[];
  readonly scope: string[];
  readonly grant: string[];
  readonly public?: true;
  readonly requirePkce?: true;
}

interface RotateOptions extends CommonOptions {
  readonly overlap: string;
}

/** Applications that act for people: `client create`, `client rotate-secret`, `client disable`. */
export function clientCommand(program: Command): void {
  const client = program.command('client').description('register applications that act for people');

  addCommand(client, 'create', 'register an application; its secret is shown this once')
    .requiredOption('--name <name>', 'what people know it by')
    .requiredOption('--redirect-uri <uri...>', 'addresses it may return people to')
    .requiredOption('--scope <scope...>', `what it may ask for: ${SCOPES.join(', ')}`)
    .option('--grant <grant...>', 'how it may get tokens', ['authorization_code', 'refresh_token'])
    .option('--public', 'it cannot keep a secret: it has none, and must use PKCE')
    .option('--require-pkce', 'it must use PKCE')
    .action(create);

  addCommand(client, 'rotate-secret', 'give an application a new secret, shown this once')
    .argument('<id>', 'the client_id')
    .option('--overlap <seconds>', 'how long the old secret stays valid', A_DAY)
    .action(rotate);

  addCommand(client, 'disable', 'end an application and all access it has')
    .argument('<id>', 'the client_id')
    .action(disable);
}

async function create(options: CreateOptions): Promise<void> {
  const { name, redirectUri, scope, grant } = options;
  const scopes = scope.flatMap(listed);
  const command = new RegisterClient(
    name,
    redirectUri,
    scopes,
    options.public ?? false,
    options.requirePkce ?? false,
    grant,
  );
  show(options, await withApplication((app) => app.get(CommandBus).execute(command)));
}

async function rotate(id: string, options: RotateOptions): Promise<void> {
  const overlap = Number(options.overlap);
  if (!Number.isInteger(overlap) || overlap < 0)
    throw new WrongUsage('--overlap is a whole number of seconds, such as 3600');
  show(
    options,
    await withApplication((app) => app.get(CommandBus).execute(new RotateClientSecret(id, overlap))),
  );
}

async function disable(id: string, options: CommonOptions): Promise<void> {
  const disabled = await withApplication((app) => app.get(CommandBus).execute(new DisableClient(id)));
  if (!disabled) throw new Error(`there is no client ${id} in force`);
  answer(options, { client_id: id, disabled }, `Client ${id} is disabled.`);
}

function show(options: CommonOptions, { clientId, clientSecret }: RegisteredClient): void {
  const secret =
    clientSecret === undefined ? ' has no secret.' : `, its secret shown this once:\n${clientSecret}`;
  answer(
    options,
    { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) },
    `Client ${clientId}${secret}`,
  );
}
