/** The largest number that JSON readers agree on. */
const LARGEST = Number.MAX_SAFE_INTEGER;
/** A text without a limit of its own is no longer than the body of a request. */
const LONGEST = 65_536;
/** Nothing that is stored holds a NUL. */
const ANY_TEXT = '^[^\\u0000]*$';
/** What stands there is no schema. */
const VALUES = new Set(['example', 'examples', 'const', 'enum', 'default']);

/** A copy in which every schema says its bounds, those too that hold for all texts, whole numbers and lists. */
export function bounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    VALUES.has(name) ? (member as unknown) : bounded(member),
  ]);
  const copy = Object.fromEntries(members) as Record<string, unknown>;
  return { ...boundsOf(copy), ...copy };
}

function boundsOf(schema: Readonly<Record<string, unknown>>): object {
  const types = ([] as unknown[]).concat(schema.type);
  const fixed = 'const' in schema || 'enum' in schema;
  return {
    ...(types.includes('string') && !fixed && { maxLength: LONGEST }),
    ...(types.includes('string') && !fixed && !('format' in schema) && { pattern: ANY_TEXT }),
    ...(types.includes('integer') && !fixed && { format: 'int64', minimum: -LARGEST, maximum: LARGEST }),
    ...(types.includes('array') && { maxItems: LARGEST }),
  };
}
