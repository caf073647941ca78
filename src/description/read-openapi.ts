import type { OpenApi } from './openapi.js';

/** Parts of the document as the guide reads them, references followed. */
export interface ParameterEntry {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
}

export interface ContentEntry {
  readonly example?: unknown;
}

export interface AnswerEntry {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, ContentEntry>>;
}

export interface OperationEntry {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly parameters: readonly ParameterEntry[];
  readonly body?: Readonly<Record<string, ContentEntry>>;
  readonly answers: readonly (readonly [string, AnswerEntry])[];
}

/** A chapter of operations. */
export interface Described {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly OperationEntry[];
}

export interface TypeEntry {
  readonly const: string;
  readonly title: string;
  readonly description: string;
  readonly deprecated?: boolean;
}

interface Raw {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, ContentEntry>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

export function operationsByTag(document: OpenApi): Described[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      tag: (raw as Raw).tags[0],
      entry: entryOf(document, method, path, raw as Raw),
    })),
  );
  return document.tags.map(({ name, description }) => ({
    id: name.toLowerCase().replace(/\W+/g, '-'),
    name,
    description,
    operations: all.filter(({ tag }) => tag === name).map(({ entry }) => entry),
  }));
}

export function typesOf({ components }: OpenApi): readonly TypeEntry[] {
  return (components.schemas?.ReportType as { oneOf: readonly TypeEntry[] } | undefined)?.oneOf ?? [];
}

function entryOf(document: OpenApi, method: string, path: string, raw: Raw): OperationEntry {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = raw;
  return {
    method: method.toUpperCase(),
    path,
    operationId,
    summary,
    description,
    scopes: [...new Set(security.flatMap((one) => Object.values(one).flat()))],
    parameters: parameters.map((one) => follow(document, one) as ParameterEntry),
    ...(requestBody && { body: requestBody.content }),
    answers: Object.entries(responses).map(([status, one]) => [status, follow(document, one) as AnswerEntry]),
  };
}

function follow({ components }: OpenApi, given: unknown): unknown {
  const { $ref } = given as { $ref?: string };
  const [, , kind = '', name = ''] = $ref?.split('/') ?? [];
  return $ref === undefined ? given : components[kind]?.[name];
}
