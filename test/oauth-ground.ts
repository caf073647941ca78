import { request as httpRequest } from 'node:http';
import { CreatePerson, RegisterClient } from '../src/auth/messages.js';
import { RegisterClientHandler } from '../src/auth/oauth/client.handlers.js';
import { CreatePersonHandler } from '../src/auth/people/person.handlers.js';
import { Peppers } from '../src/auth/peppers.js';
import { Config } from '../src/config.js';
import { freshDatabase, type FreshDatabase, openDatabase } from './support/database.js';
import { runMuster } from './support/muster.js';
import { startService, type StartedService } from './support/service.js';

export const REDIRECT_URI = 'https://app.example/callback';
export const PASSWORD = 'correct horse battery staple';
export const ALL_SCOPES = ['read:reports', 'write:reports', 'read:records', 'write:records'];

export interface RegisteredApp {
  readonly id: string;
  readonly secret: string;
}

export interface AppOptions {
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly isPublic?: boolean;
  readonly requirePkce?: boolean;
  readonly grants?: readonly string[];
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The body when it is JSON. */
  readonly json: Record<string, any>;
}

/** A database with a person and ways to make clients, and services over it. */
export class Ground {
  readonly secrets: string[] = [PASSWORD];
  service!: StartedService;
  private readonly opened: ReturnType<typeof openDatabase>;

  private constructor(
    readonly database: FreshDatabase,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.opened = openDatabase(database.url, 2);
  }

  static async prepare(env: NodeJS.ProcessEnv = {}): Promise<Ground> {
    const ground = new Ground(await freshDatabase(), {
      FAILURES_PER_CLIENT: '100000',
      FAILURES_PER_ADDRESS: '100000',
      RATE_LIMIT_TOKENS: '1000000',
      ...env,
    });
    await ground.addPerson('farmer@example.org', ['farm-1', 'farm-2']);
    ground.service = await ground.start();
    return ground;
  }

  get url(): string {
    return this.service.url;
  }

  start(env: NodeJS.ProcessEnv = {}): Promise<StartedService> {
    return startService({ databaseUrl: this.database.url, role: 'api', env: { ...this.env, ...env } });
  }

  async end(): Promise<void> {
    await this.service.kill().catch(() => undefined);
    await this.opened.close();
    await this.database.drop();
  }

  async addPerson(email: string, farms: string[]): Promise<void> {
    await new CreatePersonHandler(this.opened.database).execute(new CreatePerson(email, farms, PASSWORD));
  }

  /** As the command line registers it, without a process of its own. */
  async addClient({
    name = 'Paddock Book',
    redirectUris = [REDIRECT_URI],
    isPublic = false,
    requirePkce = false,
    grants,
  }: AppOptions = {}): Promise<RegisteredApp> {
    const { database } = this.opened;
    const { clientId, clientSecret = '' } = await new RegisterClientHandler(
      database,
      new Peppers(new Config(), database),
    ).execute(new RegisterClient(name, redirectUris, ALL_SCOPES, isPublic, requirePkce, grants));
    if (clientSecret) this.secrets.push(clientSecret);
    return { id: clientId, secret: clientSecret };
  }

  async muster(...args: string[]): Promise<Record<string, string | undefined>> {
    const { code, stdout, stderr } = await runMuster([...args, '--json'], {
      databaseUrl: this.database.url,
    });
    if (code !== 0) throw new Error(`muster ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, string | undefined>;
  }
}

/** A browser without a face: keeps cookies, follows nothing, fills in forms. */
export class Browser {
  private cookie = '';

  constructor(private readonly base: string) {}

  async get(path: string): Promise<HttpAnswer> {
    return this.keep(await send(new URL(path, this.base).href, { headers: this.headers() }));
  }

  async post(path: string, fields: readonly (readonly [string, string])[]): Promise<HttpAnswer> {
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
    const headers = { ...this.headers(), 'content-type': 'application/x-www-form-urlencoded' };
    return this.keep(await send(new URL(path, this.base).href, { method: 'POST', headers, body }));
  }

  /** Submits the form that a page shows, with what a person fills in. */
  submit(page: HttpAnswer, ...fields: [string, string][]): Promise<HttpAnswer> {
    const action = unescape(/<form method="post" action="([^"]+)"/.exec(page.text)?.[1] ?? '');
    const main = page.text
      .slice(page.text.indexOf('<main>'), page.text.indexOf('</main>'))
      .replace(/\s+/g, ' ');
    const hidden = [...main.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    return this.post(action, [
      ...hidden.map(([, name = '', value = '']) => [name, value] as const),
      ...fields,
    ]);
  }

  /** Goes through the pages as a person who allows everything asked for; answers where that leads. */
  async authorize(
    parameters: Record<string, string>,
    { email = 'farmer@example.org', farms = ['farm-1'] } = {},
  ): Promise<URL> {
    const path = `/oauth2/authorize?${new URLSearchParams(parameters).toString()}`;
    let page = await this.get(path);
    if (page.text.includes('name="password"')) {
      const signedIn = await this.submit(page, ['email', email], ['password', PASSWORD]);
      page = await this.get(String(signedIn.headers.location));
    }
    if (page.status === 200) {
      page = await this.submit(page, ...farms.map((farm): [string, string] => ['farm', farm]), [
        'decision',
        'allow',
      ]);
    }
    if (page.status !== 303) throw new Error(`no way through the pages: ${page.status} ${page.text}`);
    return new URL(String(page.headers.location));
  }

  async codeFor(client: RegisteredApp, parameters: Record<string, string> = {}): Promise<string> {
    const request = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: REDIRECT_URI,
      ...parameters,
    };
    const code = (await this.authorize(request)).searchParams.get('code');
    if (!code) throw new Error('no code');
    return code;
  }

  private headers(): Record<string, string> {
    return this.cookie ? { cookie: this.cookie } : {};
  }

  private keep(answer: HttpAnswer): HttpAnswer {
    const given = answer.headers['set-cookie'];
    if (given) this.cookie = String(Array.isArray(given) ? given[0] : given).split(';', 1)[0] ?? '';
    return answer;
  }
}

function unescape(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

/** fetch would mend what is to be seen broken: doubled headers, odd bodies, chunks. */
export function send(
  url: string,
  { method = 'GET', headers = {}, body }: HttpRequest = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length =
      body === undefined || headers['transfer-encoding']
        ? {}
        : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = httpRequest(url, { method, headers: { ...length, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json') && text !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? JSON.parse(text) : {},
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export function basic({ id, secret }: RegisteredApp): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

/** `POST /oauth2/token`, authenticated by Basic unless headers say otherwise. */
export function postToken(
  base: string,
  client: RegisteredApp | undefined,
  fields: Record<string, string> | string,
  headers: Record<string, string | string[]> = {},
  path = '/oauth2/token',
): Promise<HttpAnswer> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return send(new URL(path, base).href, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(client && { authorization: basic(client) }),
      ...headers,
    },
  });
}

export async function tokensFor(
  base: string,
  client: RegisteredApp,
  parameters: Record<string, string> = {},
): Promise<Record<string, string>> {
  const code = await new Browser(base).codeFor(client, parameters);
  const answer = await postToken(base, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
  });
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.text}`);
  return answer.json;
}

/** What the API answers to an access token. */
export async function apiStatus(base: string, accessToken = ''): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await send(`${base}/v2/report`, { headers })).status;
}
