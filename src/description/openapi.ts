import { SCOPE_WORDS, SCOPES } from '../auth/index.js';
import type { Answer, Header, OperationDescription, Tag } from '../operations/describe.js';
import { Named } from '../operations/schema.js';
import { EXAMPLE_URL } from '../operations/describe.js';
import { bounded } from './bounded.js';
import { Components, type LateSchemas } from './components.js';
import { commonHeaders, refusalsOf } from './refusals.js';
import type { Route } from './routes.js';
import { INTRODUCTION } from './introduction.js';

export interface OpenApi {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The description of the HTTP interface (OpenAPI 3.1), made from the routes that are served. Throws on parts that do not fit together. */
export function openApi(routes: readonly Route[], publicUrl: string, late: LateSchemas): OpenApi {
  const described = routes.filter(({ description }) => description);
  const components = new Components(late);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of described)
    (paths[route.path] ??= {})[route.method] = components.resolve(operationOf(route)) as object;
  const document = {
    openapi: '3.1.1',
    info: INTRODUCTION,
    servers: [{ url: EXAMPLE_URL, description: environmentOf(publicUrl), 'x-internal': false }],
    tags: tagsOf(described),
    paths: bounded(paths),
    components: { ...(bounded(components.collected()) as object), securitySchemes: SECURITY_SCHEMES },
  };
  return JSON.parse(JSON.stringify(document).replaceAll(EXAMPLE_URL, publicUrl)) as OpenApi;
}

function operationOf(route: Route): object {
  const { description } = route;
  if (!description) throw new Error(`${route.handler} is not described`);
  const { id, tag, summary, parameters, body } = description;
  return {
    operationId: id,
    tags: [tag.name],
    summary,
    description: description.description,
    security: description.security ?? securityOf(route),
    ...(parameters && { parameters }),
    ...(body && { requestBody: body }),
    responses: answersOf(route, description.answers),
  };
}

/** By status: what the route says itself, and how it refuses; a status may mean either. */
function answersOf(
  route: Route,
  own: OperationDescription['answers'],
): Record<string, Answer | Named<Answer>> {
  const refusals = refusalsOf(route);
  const answers = Object.entries(own).map(([status, answer]) => {
    const refusal = refusals[Number(status)]?.value;
    return [
      status,
      together({ ...answer, headers: { ...commonHeaders(route), ...answer.headers } }, refusal),
    ];
  });
  return { ...refusals, ...(Object.fromEntries(answers) as Record<string, Answer>) };
}

/** One answer in place of two; headers that only one of them always has are not always there. */
function together(one: Answer, other: Answer | undefined): Answer {
  if (!other) return one;
  return {
    description: `${one.description}\n\n${other.description}`,
    headers: { ...maybe(other.headers, one.headers), ...maybe(one.headers, other.headers) },
    content: { ...other.content, ...one.content },
  };
}

function maybe(
  headers: Answer['headers'] = {},
  others: Answer['headers'] = {},
): NonNullable<Answer['headers']> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      if (name in others) return [name, header];
      const value = header instanceof Named ? header.value : header;
      return [name, { ...value, required: false } as Header];
    }),
  );
}

/** Either credential is enough. */
function securityOf({ anonymous, scope }: Route): object[] {
  if (anonymous) return [{}];
  const scopes = scope ? [scope] : [];
  return [{ oauth2: scopes }, { bearer: [] }, { apiKey: [] }];
}

function environmentOf(publicUrl: string): string {
  return publicUrl.startsWith('http:') ? 'This service, local' : 'This service, production';
}

/** What an integrator came for; the other chapters follow as the modules stand. */
function isFirst({ name }: Tag): boolean {
  return /^Reports?\b/.test(name);
}

function tagsOf(routes: readonly Route[]): Tag[] {
  const tags = routes.flatMap(({ description }) => (description ? [description.tag] : []));
  const found = [...new Map(tags.map((tag) => [tag.name, tag])).values()];
  const [first, rest] = [found.filter(isFirst), found.filter((tag) => !isFirst(tag))];
  return [...first, ...rest];
}

const SECURITY_SCHEMES = {
  oauth2: {
    type: 'oauth2',
    description:
      'A person allows an application to act for them on farms that they choose. Access tokens live for an hour, refresh tokens are used once. Tokens are opaque: no JWT, so that RFC8725 has nothing to say about them.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${EXAMPLE_URL}/oauth2/authorize`,
        tokenUrl: `${EXAMPLE_URL}/oauth2/token`,
        refreshUrl: `${EXAMPLE_URL}/oauth2/token`,
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_WORDS[scope]])),
      },
    },
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token, however it was come by. It is read from the Authorization header only (RFC 6750).',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'A key that the operator issued to a system (`muster api-key create`).',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'The id and secret of a client of the authorization server.',
  },
};
