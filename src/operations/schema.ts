/**
 * Words for JSON Schema (2020-12) as the descriptions of operations use them. What an answer holds is described against its
 * TypeScript type, so that a member added to the type does not compile until it is described.
 */
export type Schema = Readonly<Record<string, unknown>>;

/** A part of the document with a name of its own: it stands under `components`, and wherever it is used stands a reference. */
export class Named<Value extends object = object> {
  constructor(
    readonly kind: 'schemas' | 'parameters' | 'headers' | 'responses',
    readonly name: string,
    /** Undefined: made when the document is, since it depends on what is installed. */
    readonly value?: Value,
  ) {}
}

export type SchemaOrNamed = Schema | Named<Schema>;

/** A member that may be absent. */
export class Optional {
  constructor(readonly schema: SchemaOrNamed) {}
}

export function optional(schema: SchemaOrNamed): Optional {
  return new Optional(schema);
}

export function named(name: string, schema: Schema): Named<Schema> {
  return new Named('schemas', name, schema);
}

/** The largest number that JSON readers agree on. */
const LARGEST = Number.MAX_SAFE_INTEGER;
/** A text that has no limit of its own is limited by the body it came in. */
const LONGEST = 65_536;

export function text(description: string, more: Schema = {}): Schema {
  const limited = 'enum' in more || 'const' in more || 'maxLength' in more;
  return { type: 'string', description, ...(!limited && { maxLength: LONGEST }), ...more };
}

export function choice(description: string, values: readonly string[], more: Schema = {}): Schema {
  return { type: 'string', description, enum: values, ...more };
}

export function address(description: string, more: Schema = {}): Schema {
  return { type: 'string', format: 'uri', maxLength: 4096, description, ...more };
}

/** A whole number, 0 or more unless said. */
export function whole(description: string, more: Schema = {}): Schema {
  return { type: 'integer', format: 'int64', minimum: 0, maximum: LARGEST, description, ...more };
}

/** Unix milliseconds. */
export function instant(description: string, more: Schema = {}): Schema {
  return whole(`${description} (Unix milliseconds)`, { examples: [1719756000000], ...more });
}

/** A calendar day, YYYY-MM-DD; years beyond 9999 have a sign and six digits, which `format: date` does not know. */
export const DAY_PATTERN = '^([0-9]{4}|[+-][0-9]{6})-[0-9]{2}-[0-9]{2}$';

export function day(description: string, more: Schema = {}): Schema {
  return { type: 'string', pattern: DAY_PATTERN, maxLength: 13, description, ...more };
}

export function flag(description: string): Schema {
  return { type: 'boolean', description };
}

/** A list. Without a limit it is as long as what it lists. */
export function list(description: string, items: SchemaOrNamed, maxItems = LARGEST): Schema {
  return { type: 'array', description, items, maxItems };
}

/** An object with any members, all of one kind. */
export function mapOf(description: string, values: SchemaOrNamed): Schema {
  return { type: 'object', description, additionalProperties: values };
}

type Members<T> = {
  readonly [Name in keyof T]-?: undefined extends T[Name] ? Optional : SchemaOrNamed;
};

/** The schema of `T`: every member is described, those that T may lack with `optional`. */
export function object<T extends object>(members: Members<T>, more: Schema = {}): Schema {
  const entries = Object.entries(members as Record<string, SchemaOrNamed | Optional>);
  const required = entries.filter(([, member]) => !(member instanceof Optional)).map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, member instanceof Optional ? member.schema : member]),
    ),
    ...more,
  };
}
