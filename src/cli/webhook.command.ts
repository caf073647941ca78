import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Command, Option } from 'commander';
import {
  BadDestination,
  ChangeWebhookEndpoint,
  FarmOutOfReach,
  FindWebhookEndpoint,
  ListWebhookDeliveries,
  ListWebhookEndpoints,
  RegisterWebhookEndpoint,
  RemoveWebhookEndpoint,
  ReplayWebhookDeliveries,
  ReplayWebhookDelivery,
  RotateWebhookSecret,
  TestWebhookEndpoint,
  WEBHOOK_EVENTS,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEvent,
} from '../webhooks/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { CREDENTIAL, credentialId, inTheNameOf } from './credential.js';

const A_DAY = '86400';
/** Operators act on everybody's endpoints. */
const ANYBODY = undefined;

interface SettingOptions extends CommonOptions {
  readonly url?: string;
  readonly description?: string;
  readonly event?: WebhookEvent[];
  readonly farm?: string[];
}

interface CreateOptions extends SettingOptions {
  readonly credential: string;
  readonly url: string;
}

interface ReplayOptions extends CommonOptions {
  readonly message?: string;
  readonly since?: string;
  readonly failed?: true;
}

/** Endpoints that are told about reports: `webhook create`, `list`, `change`, … */
export function webhookCommand(program: Command): void {
  const webhook = program.command('webhook').description('endpoints that are told when reports end');

  settings(addCommand(webhook, 'create', 'register an endpoint; its secret is shown this once'))
    .requiredOption('--url <url>', 'where to send to')
    .requiredOption('--credential <id>', `in whose name: ${CREDENTIAL}`)
    .action(create);

  addCommand(webhook, 'list', 'show every endpoint')
    .option('--credential <id>', 'only those of this credential')
    .action(list);

  settings(addCommand(webhook, 'change', 'change what is named of an endpoint'))
    .argument('<id>', 'the endpoint, we_…')
    .option('--url <url>', 'where to send to')
    .action(change);

  for (const [name, enabled] of [['enable', true] as const, ['disable', false] as const])
    addCommand(webhook, name, `${name} an endpoint`)
      .argument('<id>', 'the endpoint, we_…')
      .action((id: string, options: CommonOptions) => showChanged(id, { enabled }, options));

  addCommand(webhook, 'rotate-secret', 'give an endpoint a new secret, shown this once')
    .argument('<id>', 'the endpoint, we_…')
    .option('--overlap <seconds>', 'how long messages are signed with the old secret too', A_DAY)
    .action(rotate);

  addCommand(webhook, 'delete', 'remove an endpoint with its log')
    .argument('<id>', 'the endpoint')
    .action(remove);

  addCommand(webhook, 'test', 'send a test message').argument('<id>', 'the endpoint, we_…').action(test);

  addCommand(webhook, 'deliveries', 'show the newest messages to an endpoint and what became of them')
    .argument('<id>', 'the endpoint, we_…')
    .option('--limit <number>', 'how many', '20')
    .action(deliveries);

  addCommand(webhook, 'replay', 'send messages again')
    .argument('<id>', 'the endpoint, we_…')
    .addOption(new Option('--message <id>', 'one message').conflicts(['since', 'failed']))
    .option('--since <instant>', 'everything that happened from then on, in ISO 8601')
    .option('--failed', 'of these, only what was not delivered')
    .action(replay);
}

function settings(command: Command): Command {
  return command
    .option('--description <text>', 'what it is for')
    .option('--event <event...>', `what to tell: ${WEBHOOK_EVENTS.join(', ')} (all unless said)`, readEvent)
    .option('--farm <farm...>', "only these farms; '*' for every farm of the credential");
}

function readEvent(event: string, others: WebhookEvent[] = []): WebhookEvent[] {
  const known = WEBHOOK_EVENTS.find((one) => one === event);
  if (!known) throw new WrongUsage(`--event must be one of ${WEBHOOK_EVENTS.join(', ')}`);
  return [...others, known];
}

async function create({ credential, url, ...options }: CreateOptions): Promise<void> {
  const { description = '', event: events = WEBHOOK_EVENTS, farm } = options;
  const { endpoint, secret } = await withApplication(async (app) => {
    const principal = await inTheNameOf(app, credential, 'read:reports');
    const given = { url, description, events, farms: farmsOf(farm), enabled: true };
    return app.get(CommandBus).execute(new RegisterWebhookEndpoint(principal, given)).catch(explain);
  });
  answer(options, { ...endpoint, secret }, `${describe(endpoint)}\nIts secret, shown this once:\n${secret}`);
}

async function list({ credential, ...options }: CommonOptions & { credential?: string }): Promise<void> {
  const owner = credential === undefined ? ANYBODY : credentialId(credential);
  const endpoints = await withApplication((app) =>
    app.get(QueryBus).execute(new ListWebhookEndpoints(owner)),
  );
  answer(options, { data: endpoints }, endpoints.map(describe).join('\n') || 'There is no endpoint.');
}

async function change(
  id: string,
  { url, description, event, farm, ...options }: SettingOptions,
): Promise<void> {
  const changes = {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(event && { events: event }),
    ...(farm && { farms: farmsOf(farm) }),
  };
  await showChanged(id, changes, options);
}

async function showChanged(
  id: string,
  changes: ConstructorParameters<typeof ChangeWebhookEndpoint>[2],
  options: CommonOptions,
): Promise<void> {
  const endpoint = await withApplication((app) =>
    app
      .get(CommandBus)
      .execute(new ChangeWebhookEndpoint(ANYBODY, id, changes))
      .catch(explain),
  );
  answer(options, found(endpoint, id), describe(found(endpoint, id)));
}

async function rotate(
  id: string,
  { overlap, ...options }: CommonOptions & { overlap: string },
): Promise<void> {
  const seconds = wholeNumber('--overlap', overlap);
  const rotated = await withApplication((app) =>
    app.get(CommandBus).execute(new RotateWebhookSecret(ANYBODY, id, seconds)),
  );
  const { endpoint, secret } = found(rotated, id);
  answer(
    options,
    { ...endpoint, secret },
    `${describe(endpoint)}\nIts new secret, shown this once:\n${secret}`,
  );
}

async function remove(id: string, options: CommonOptions): Promise<void> {
  const removed = await withApplication((app) =>
    app.get(CommandBus).execute(new RemoveWebhookEndpoint(ANYBODY, id)),
  );
  found(removed || undefined, id);
  answer(options, { id, removed }, `Endpoint ${id} is removed.`);
}

async function test(id: string, options: CommonOptions): Promise<void> {
  const delivery = await withApplication((app) =>
    app.get(CommandBus).execute(new TestWebhookEndpoint(ANYBODY, id)),
  );
  answer(options, found(delivery, id), `Message ${found(delivery, id).eventId} will be sent by a worker.`);
}

async function deliveries(
  id: string,
  { limit, ...options }: CommonOptions & { limit: string },
): Promise<void> {
  const most = wholeNumber('--limit', limit);
  const page = await withApplication((app) =>
    app.get(QueryBus).execute(new ListWebhookDeliveries(ANYBODY, id, { farms: 'all' }, most)),
  );
  const data = found(page, id).deliveries;
  answer(options, { data }, data.map(describeDelivery).join('\n') || 'Nothing has been sent.');
}

async function replay(id: string, { message, since, failed, ...options }: ReplayOptions): Promise<void> {
  const count = await withApplication(async (app) => {
    found(await app.get(QueryBus).execute(new FindWebhookEndpoint(ANYBODY, id)), id);
    const commands = app.get(CommandBus);
    if (message !== undefined) {
      const replayed = await commands.execute(new ReplayWebhookDelivery(ANYBODY, id, message, 'all'));
      if (!replayed) throw new Error(`the log of ${id} has no message ${message}`);
      return 1;
    }
    const range = {
      since: readInstant(since),
      ...(failed && { statuses: ['failed', 'skipped'] as const }),
    };
    return commands.execute(new ReplayWebhookDeliveries(ANYBODY, id, range, 'all'));
  });
  answer(options, { deliveries: count }, `${count} messages will be sent by a worker.`);
}

function readInstant(text: string | undefined): number {
  const instant = Date.parse(text ?? '');
  if (Number.isNaN(instant))
    throw new WrongUsage('--message or --since must be given; --since as 2026-07-01T00:00:00Z');
  return instant;
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new WrongUsage(`${option} is a whole number, such as 3600`);
  return Number(text);
}

function farmsOf(farms: readonly string[] | undefined): readonly string[] | null {
  return !farms || farms.includes('*') ? null : farms;
}

function found<T>(thing: T | undefined, id: string): T {
  if (thing === undefined) throw new Error(`there is no webhook endpoint ${id}`);
  return thing;
}

function explain(error: unknown): never {
  if (error instanceof BadDestination) throw new WrongUsage(`--url cannot be called: ${error.message}`);
  throw error instanceof FarmOutOfReach ? new Error('the credential does not reach one of the farms') : error;
}

function describe({
  id,
  url,
  owner,
  events,
  farms,
  enabled,
  disabledReason = '',
  disabledDate,
  failingSince,
}: WebhookEndpoint): string {
  const state = enabled
    ? failingSince === undefined
      ? 'enabled'
      : `failing since ${new Date(failingSince).toISOString()}`
    : `disabled${disabledDate === undefined ? '' : ` since ${new Date(disabledDate).toISOString()}`}: ${disabledReason}`;
  return `${id}  ${url}  ${owner}  ${events.join(' ')}  ${farms?.join(', ') ?? 'every farm in reach'}  ${state}`;
}

function describeDelivery({ eventId, event, reportId, status, attempts, reason }: WebhookDelivery): string {
  return `${eventId}  ${event}  ${reportId ?? ''}  ${status}, ${attempts} attempts${reason === undefined ? '' : `: ${reason}`}`;
}
