import { type ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Recorded } from './recorder.js';

type Json = any;

interface Operation {
  readonly pointer: string;
  readonly pattern: RegExp;
  readonly described: Json;
}

/** A description of an HTTP interface, as answers are held against it. */
export class Contract {
  private readonly operations: readonly Operation[];
  private readonly answers: Ajv2020.default;
  private readonly requests: Ajv2020.default;
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Json) {
    this.operations = Object.entries<Json>(document.paths)
      .flatMap(([path, methods]) =>
        Object.entries<Json>(methods).map(([method, described]) => ({
          pointer: `/paths/${escaped(path)}/${method}`,
          pattern: new RegExp(`^${method} ${path.replace(/[.]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`),
          described,
        })),
      )
      .toSorted((a, b) => variables(a) - variables(b));
    this.answers = validatorOf(closed(document));
    this.requests = validatorOf(document);
  }

  /** What is wrong with an answer; nothing when it is as described. */
  faults(recorded: Recorded): string[] {
    const method = recorded.method === 'HEAD' ? 'get' : recorded.method.toLowerCase();
    const path = recorded.url.split('?', 1)[0] ?? '';
    const operation = this.operations.find(({ pattern }) => pattern.test(`${method} ${path}`));
    const faults = operation ? this.faultsOf(operation, recorded) : this.faultsOfUnknown(recorded);
    return faults.map((fault) => `${recorded.method} ${path} -> ${recorded.status}: ${fault}`);
  }

  /** Examples that are not as they are described. */
  exampleFaults(): string[] {
    return this.operations.flatMap(({ pointer, described }) => [
      ...this.examplesOf(described.requestBody ?? {}, `${pointer}/requestBody`),
      ...Object.entries<Json>(described.responses).flatMap(([status, given]) => {
        const [answer, place] = this.follow(given, `${pointer}/responses/${status}`);
        return [
          ...this.examplesOf(answer, place),
          ...this.valuesOf(answer.headers ?? {}, `${place}/headers`),
        ];
      }),
      ...this.valuesOf(described.parameters ?? [], `${pointer}/parameters`),
    ]);
  }

  private examplesOf(described: Json, place: string): string[] {
    return Object.entries<Json>(described.content ?? {}).flatMap(([type, content]) => {
      const named = Object.values<Json>(content.examples ?? {}).map(({ value }) => value);
      const values = 'example' in content ? [content.example] : named;
      const schema = `${place}/content/${escaped(type)}/schema`;
      return values
        .flatMap((value) => this.schemaFaults(this.answers, schema, value))
        .map((fault) => `${place}: ${fault}`);
    });
  }

  private valuesOf(described: Json, place: string): string[] {
    return Object.entries<Json>(described).flatMap(([name, given]) => {
      const [{ example }, found] = this.follow(given, `${place}/${escaped(name)}`);
      if (example === undefined) return [];
      return this.schemaFaults(this.answers, `${found}/schema`, example).map((fault) => `${found}: ${fault}`);
    });
  }

  /** What nobody described may only be refused. */
  private faultsOfUnknown({ status, body }: Recorded): string[] {
    if (![400, 404, 405].includes(status)) return ['the operation is not described'];
    if (body === undefined) return [];
    const schema = JSON.parse(body).error === undefined ? 'Problem' : 'OAuthError';
    return this.schemaFaults(this.answers, `/components/schemas/${schema}`, JSON.parse(body));
  }

  private faultsOf({ pointer, described }: Operation, recorded: Recorded): string[] {
    const place = `${pointer}/responses/${recorded.status}`;
    const [answer, found] = this.follow(described.responses[recorded.status], place);
    if (!answer) return ['the status is not described'];
    return [
      ...this.headerFaults(answer, found, recorded),
      ...this.contentFaults(answer, found, recorded),
      ...(isGranted(recorded) ? this.requestFaults(described, pointer, recorded) : []),
    ];
  }

  private headerFaults(answer: Json, place: string, { headers, method }: Recorded): string[] {
    return Object.entries<Json>(answer.headers ?? {}).flatMap(([name, given]) => {
      const [header, found] = this.follow(given, `${place}/headers/${escaped(name)}`);
      const value = headers.find(([sent]) => sent === name.toLowerCase())?.[1];
      if (value === undefined)
        return header.required && method !== 'HEAD' ? [`the header ${name} is missing`] : [];
      return this.schemaFaults(this.answers, `${found}/schema`, typed(header.schema, value)).map(
        (fault) => `header ${name}: ${fault}`,
      );
    });
  }

  private contentFaults(answer: Json, place: string, recorded: Recorded): string[] {
    const type = recorded.headers.find(([name]) => name === 'content-type')?.[1]?.split(';', 1)[0];
    const content: Json = answer.content ?? {};
    if (type === undefined) return recorded.bytes > 0 ? ['the content has no type'] : [];
    if (!Object.hasOwn(content, type)) {
      return recorded.bytes > 0 || Object.keys(content).length > 0
        ? [`the type ${type} is not described`]
        : [];
    }
    if (recorded.body === undefined || recorded.method === 'HEAD') return [];
    const body = JSON.parse(recorded.body);
    const kinds = Object.values<Json>(content[type].examples ?? {}).map(({ value }) => value.type);
    const kind = type === 'application/problem+json' ? [body.type].filter((one) => !isAmong(one, kinds)) : [];
    return [
      ...kind.map((one) => `the problem ${one} is not described`),
      ...this.schemaFaults(this.answers, `${place}/content/${escaped(type)}/schema`, body),
    ];
  }

  /** A request that was granted is one that the description allows. */
  private requestFaults(
    described: Json,
    pointer: string,
    { url, requestType, requestBody }: Recorded,
  ): string[] {
    const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
    const parameters = (described.parameters ?? []).flatMap((given: Json, index: number) => {
      const [parameter, found] = this.follow(given, `${pointer}/parameters/${index}`);
      const value = parameter.in === 'query' ? query.get(parameter.name) : null;
      if (value === null)
        return parameter.in === 'query' && parameter.required ? [`${parameter.name} was not sent`] : [];
      return this.schemaFaults(this.requests, `${found}/schema`, typed(parameter.schema, value));
    });
    const type = requestType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (requestBody === undefined || !described.requestBody) return parameters;
    if (!Object.hasOwn(described.requestBody.content, type))
      return [...parameters, `a request of type ${type} was granted`];
    const schema = `${pointer}/requestBody/content/${escaped(type)}/schema`;
    return [
      ...parameters,
      ...this.schemaFaults(this.requests, schema, JSON.parse(requestBody)).map(
        (fault) => `granted request: ${fault}`,
      ),
    ];
  }

  private schemaFaults(ajv: Ajv2020.default, pointer: string, value: unknown): string[] {
    const key = `${ajv === this.answers ? 'answer' : 'request'} ${pointer}`;
    const validate = this.validators.get(key) ?? ajv.compile({ $ref: `interface#${encodeURI(pointer)}` });
    this.validators.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [`${instancePath || 'it'} ${message ?? ''}`, JSON.stringify(params)].join(' '),
    );
  }

  private follow(given: Json, place: string): [Json, string] {
    if (given?.$ref === undefined) return [given, place];
    const pointer = (given.$ref as string).slice(1);
    return [
      pointer
        .split('/')
        .slice(1)
        .reduce((at, part) => at[part], this.document),
      pointer,
    ];
  }
}

/** An import takes what is in order, and refuses bad items in an answer of its own. */
function isGranted({ status, body }: Recorded): boolean {
  return status < 300 && !(body !== undefined && JSON.parse(body).data?.rejected > 0);
}

function validatorOf(document: Json): Ajv2020.default {
  const ajv = new Ajv2020.default({ strict: false, validateFormats: true, allErrors: false });
  addFormats.default(ajv);
  ajv.addFormat('int32', true).addFormat('int64', true).addFormat('binary', true);
  return ajv.addSchema(document, 'interface', undefined, false);
}

/** A copy in which objects have no members but those described: an answer may not hold what nobody reads about. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const open =
    copy.type === 'object' && typeof copy.properties === 'object' && !('additionalProperties' in copy);
  return open ? { ...copy, additionalProperties: false } : copy;
}

/** What a header or parameter holds is text; its schema may say a number. */
function typed(schema: Json, value: string): unknown {
  return schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value;
}

/** The service may have another address than the document was made for. */
function isAmong(kind: string, kinds: readonly string[]): boolean {
  const slug = (address: string): string => address.slice(address.lastIndexOf('/'));
  return kinds.some((known) => slug(known) === slug(kind));
}

function variables({ pattern }: Operation): number {
  return pattern.source.split('[^/]+').length;
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
