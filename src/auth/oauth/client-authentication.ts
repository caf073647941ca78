import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { BasicStrategy } from 'passport-http';
import { Config } from '../../config.js';
import { Database } from '../../database/database.js';
import { addressSubject, Failures, type Limit, namedSubject } from '../failures.js';
import { headerLines } from '../headers.js';
import { ClientAuthenticationFailed, SecurityLog } from '../security-events.js';
import { type ClientCredentials, readClientCredentials } from './client-credentials.js';
import { type Client, Clients } from './clients.js';
import type { Form } from './form.js';
import { invalidClient, tooManyFailures } from './oauth-error.js';

/** A request whose form has been read. */
export type FormRequest = FastifyRequest & { form: Form; user?: Client };

/** Failed authentications of clients, as counted. */
export const CLIENT_FAILURES = 'client-failures';

/** Whether a client is who it says. Counts and notes what fails. */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly clients: Clients,
    private readonly failures: Failures,
    private readonly config: Config,
    private readonly database: Database,
    private readonly log: SecurityLog,
  ) {}

  /** Throws OAuthError: 401, or 429 when this client at this address, or this address, has failed too often. */
  async authenticate(credentials: ClientCredentials | undefined, address: string): Promise<Client> {
    const limits = this.limits(credentials?.clientId, address);
    const remembered = this.failures.remembered(...limits.map(({ subject }) => subject));
    if (remembered !== undefined) throw tooManyFailures(remembered);
    const { clientId = '', secret } = credentials ?? {};
    const { client, known, blocked } = await this.clients.authenticate(clientId, secret, limits);
    if (blocked !== undefined) throw tooManyFailures(blocked);
    if (client) return client;
    await this.fail(known ? clientId : undefined, address, limits);
    throw invalidClient();
  }

  private limits(clientId: string | undefined, address: string): Limit[] {
    const byAddress = {
      subject: addressSubject(CLIENT_FAILURES, address),
      failures: this.config.FAILURES_PER_ADDRESS,
    };
    if (clientId === undefined) return [byAddress];
    const subject = addressSubject(namedSubject('client', clientId), address);
    return [byAddress, { subject, failures: this.config.FAILURES_PER_CLIENT }];
  }

  private async fail(clientId: string | undefined, address: string, limits: readonly Limit[]): Promise<void> {
    await this.failures.note(limits);
    await this.database.transaction((tx) =>
      this.log.note(tx, new ClientAuthenticationFailed(clientId, address)),
    );
  }
}

/**
 * HTTP Basic and its likes for clients. The library's own reading is replaced: it splits at every colon, takes any scheme
 * that contains `Basic` and any base64, and decodes no forms.
 */
@Injectable()
export class ClientStrategy extends PassportStrategy(BasicStrategy, 'oauth-client') {
  /** Set by passport on each use. */
  declare private readonly success: (client: Client) => void;
  declare private readonly error: (error: unknown) => void;

  constructor(private readonly authentication: ClientAuthentication) {
    super();
  }

  override authenticate(request: object): void {
    this.validate(request as FormRequest).then(
      (client) => this.success(client),
      (error: unknown) => this.error(error),
    );
  }

  async validate({ raw, form, ip }: FormRequest): Promise<Client> {
    return this.authentication.authenticate(
      readClientCredentials(headerLines(raw, 'authorization'), form),
      ip,
    );
  }
}

/** Lets authenticated clients in; the strategy's refusals are OAuth errors already. */
@Injectable()
export class ClientGuard extends AuthGuard('oauth-client') {
  override handleRequest<Found>(error: unknown, client: Found | false): Found {
    if (error) throw error as Error;
    if (!client) throw invalidClient();
    return client;
  }
}

/** The client that authenticated. */
export const CallingClient = createParamDecorator((_: unknown, context: ExecutionContext): Client => {
  const { user } = context.switchToHttp().getRequest<FormRequest>();
  if (!user) throw new Error('@CallingClient() on a route without ClientGuard');
  return user;
});
