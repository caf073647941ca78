import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryBus,
  QueryHandler,
} from '@nestjs/cqrs';
import { FindPrincipal, makeId, type Principal, reaches, SealedSecrets } from '../auth/index.js';
import { Config } from '../config.js';
import { Database } from '../database/index.js';
import { type DestinationRules, readDestination } from './destination.js';
import type { WebhookEndpoint } from './endpoint.js';
import {
  changeEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  removeEndpoint,
  replaceSecret,
} from './endpoint-rows.js';
import {
  BadDestination,
  ChangeWebhookEndpoint,
  type EndpointSettings,
  type EndpointWithSecret,
  FarmOutOfReach,
  FindWebhookEndpoint,
  ListWebhookEndpoints,
  RegisterWebhookEndpoint,
  RemoveWebhookEndpoint,
  RotateWebhookSecret,
  TooManyEndpoints,
} from './messages.js';
import { newSigningSecret } from './signature.js';

const MOST_ENDPOINTS = 20;

/** The destinations that the settings allow. */
export function destinationRules(config: Config): DestinationRules {
  return {
    plainHttp: config.WEBHOOK_PLAIN_HTTP === 'allow',
    privateAddresses: config.WEBHOOK_PRIVATE_ADDRESSES === 'allow',
  };
}

@CommandHandler(RegisterWebhookEndpoint)
export class RegisterWebhookEndpointHandler implements ICommandHandler<RegisterWebhookEndpoint> {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly secrets: SealedSecrets,
  ) {}

  async execute({ principal, settings }: RegisterWebhookEndpoint): Promise<EndpointWithSecret> {
    const checked = checkSettings(settings, principal, destinationRules(this.config));
    const id = makeId('we');
    const secret = newSigningSecret();
    const sealed = await this.secrets.seal(secret, id);
    const endpoint = await this.database.transaction((tx) =>
      insertEndpoint(tx, principal.id, id, { ...settings, ...checked }, sealed, MOST_ENDPOINTS),
    );
    if (!endpoint) throw new TooManyEndpoints(MOST_ENDPOINTS);
    return { endpoint, secret };
  }
}

@CommandHandler(ChangeWebhookEndpoint)
export class ChangeWebhookEndpointHandler implements ICommandHandler<ChangeWebhookEndpoint> {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly queries: QueryBus,
  ) {}

  async execute({ owner, id, changes }: ChangeWebhookEndpoint): Promise<WebhookEndpoint | undefined> {
    const found = await findEndpoint(this.database, owner, id);
    if (!found) return undefined;
    const principal = await this.queries.execute(new FindPrincipal(found.endpoint.owner, 'read:reports'));
    const checked = checkSettings(changes, principal, destinationRules(this.config));
    return changeEndpoint(this.database, owner, id, { ...changes, ...checked });
  }
}

/** What of some settings must be judged, as it is to be stored. Throws BadDestination or FarmOutOfReach. */
function checkSettings(
  { url, farms, events }: Partial<EndpointSettings>,
  principal: Principal | undefined,
  rules: DestinationRules,
): Partial<EndpointSettings> {
  if (farms?.some((farm) => !principal || !reaches(principal, farm))) throw new FarmOutOfReach();
  const read = url === undefined ? undefined : readDestination(url, rules);
  if (read && 'refused' in read) throw new BadDestination(read.refused);
  return {
    ...read,
    ...(farms && { farms: [...new Set(farms)] }),
    ...(events && { events: [...new Set(events)] }),
  };
}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly database: Database,
    private readonly secrets: SealedSecrets,
  ) {}

  async execute({ owner, id, graceSeconds }: RotateWebhookSecret): Promise<EndpointWithSecret | undefined> {
    const secret = newSigningSecret();
    const sealed = await this.secrets.seal(secret, id);
    const endpoint = await replaceSecret(this.database, owner, id, sealed, graceSeconds);
    return endpoint && { endpoint, secret };
  }
}

@CommandHandler(RemoveWebhookEndpoint)
export class RemoveWebhookEndpointHandler implements ICommandHandler<RemoveWebhookEndpoint> {
  constructor(private readonly database: Database) {}

  execute({ owner, id }: RemoveWebhookEndpoint): Promise<boolean> {
    return removeEndpoint(this.database, owner, id);
  }
}

@QueryHandler(FindWebhookEndpoint)
export class FindWebhookEndpointHandler implements IQueryHandler<FindWebhookEndpoint> {
  constructor(private readonly database: Database) {}

  async execute({ owner, id }: FindWebhookEndpoint): Promise<WebhookEndpoint | undefined> {
    return (await findEndpoint(this.database, owner, id))?.endpoint;
  }
}

@QueryHandler(ListWebhookEndpoints)
export class ListWebhookEndpointsHandler implements IQueryHandler<ListWebhookEndpoints> {
  constructor(private readonly database: Database) {}

  execute({ owner }: ListWebhookEndpoints): Promise<readonly WebhookEndpoint[]> {
    return listEndpoints(this.database, owner);
  }
}
