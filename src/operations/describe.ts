/**
 * How a route describes itself. /openapi.json and /docs are made of these descriptions, and every answer that a test
 * gets from a service is checked against them (test/support/checked-answers.ts).
 *
 * 1. `@Describe(cancelReport)` stands over the handler; the text stands beside the controller, in `<name>.description.ts`.
 * 2. Describe what is particular: summary, parameters, body, the answers that are no refusals, and the slugs of the problems
 *    that the operation itself may raise (`problem-pages.ts` lists them all). Method, path, credential, scope and what every
 *    operation may answer (X-Request-Id, 401, 403, 413, 429, 500, 503 …) are added from the route itself.
 * 3. Say a constraint once: a body that class-validator reads is `schemaOf(ItsClass, {…})` (validated-schema.ts); what code
 *    reads by hand shares its constant. `object<ReportLinks>({…})` (schema.ts) does not compile while a member is missing.
 * 4. A schema that is used twice, or that a client wants by name, is `named('Report', …)`; examples are whole and real, with
 *    addresses that begin with EXAMPLE_URL.
 */
import { SetMetadata } from '@nestjs/common';
import type { ProblemSlug } from './problem-pages.js';
import { Named, type Schema, type SchemaOrNamed } from './schema.js';

/** Stands for the service's own address in descriptions and examples. */
export const EXAMPLE_URL = 'https://muster.example';

/** A chapter of the description. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: SchemaOrNamed;
  readonly example?: unknown;
}

export interface Header {
  readonly description: string;
  /** On every answer that the header is described for. */
  readonly required?: boolean;
  readonly schema: SchemaOrNamed;
  readonly example?: unknown;
}

export interface Content {
  readonly schema: SchemaOrNamed;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Named<Header>>>;
  /** By media type; absent: no body. */
  readonly content?: Readonly<Record<string, Content>>;
}

export interface RequestBody {
  readonly description: string;
  readonly required: boolean;
  /** By media type. */
  readonly content: Readonly<Record<string, Content>>;
}

export interface OperationDescription {
  /** operationId: verb and noun, unique. */
  readonly id: string;
  readonly tag: Tag;
  /** A few words, without a full stop. */
  readonly summary: string;
  /** CommonMark. */
  readonly description: string;
  readonly parameters?: readonly (Parameter | Named<Parameter>)[];
  readonly body?: RequestBody;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** What it may refuse beside what every operation may. */
  readonly problems?: readonly ProblemSlug[];
  /** `itself`: the description lists every answer, as those of the authorization server do; else problems are added. */
  readonly refuses?: 'by-problem' | 'itself';
  /** Credentials instead of those of the API, as names of security schemes with scopes. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export const DESCRIPTION = 'operations:description';

/** Describes the route of a handler. */
export const Describe = (description: OperationDescription) => SetMetadata(DESCRIPTION, description);

/** A JSON content with an example. */
export function json(schema: SchemaOrNamed, example: unknown): Readonly<Record<string, Content>> {
  return { 'application/json': { schema, example } };
}

/** A header that several answers have. */
export function header(
  name: string,
  description: string,
  schema: Schema,
  example: unknown,
  required = true,
): Named<Header> {
  return new Named('headers', name, { description, required, schema, example });
}

/** A parameter that several operations have. */
export function parameter(name: string, value: Parameter): Named<Parameter> {
  return new Named('parameters', name, value);
}

export function pathParameter(
  name: string,
  description: string,
  schema: Schema,
  example: unknown,
): Parameter {
  return { name, in: 'path', required: true, description, schema, example };
}

export function queryParameter(
  name: string,
  description: string,
  schema: Schema,
  example?: unknown,
): Parameter {
  return { name, in: 'query', description, schema, ...(example !== undefined && { example }) };
}

export function headerParameter(
  name: string,
  description: string,
  schema: Schema,
  example?: unknown,
): Parameter {
  return { name, in: 'header', description, schema, ...(example !== undefined && { example }) };
}
