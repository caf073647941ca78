/** What can be wrong with a parameter. */
export type Fault = 'malformed' | 'repeated' | 'too-long';

/** The parameters of a form that are known, and what is wrong with them. Unknown ones are not looked at. */
export interface Form {
  /** Undefined when absent, empty or faulty. */
  get(name: string): string | undefined;
  /** By name of the known parameter. */
  readonly faults: ReadonlyMap<string, Fault>;
}

/** The known parameters of an endpoint with their greatest lengths in characters. */
export type Limits = Readonly<Record<string, number>>;

const CONTROL = /\p{Cc}/u;

/**
 * Reads application/x-www-form-urlencoded strictly: a known parameter must be percent-encoded well, valid UTF-8, free of
 * control characters, within its limit, and there once. Never throws; nothing unknown can spoil it.
 */
export function parseForm(body: Buffer | string, limits: Limits): Form {
  const values = new Map<string, string>();
  const faults = new Map<string, Fault>();
  const seen = new Set<string>();
  for (const [name, value] of formPairs(body)) {
    if (name === undefined || !Object.hasOwn(limits, name)) continue;
    if (seen.has(name)) faults.set(name, 'repeated');
    else if (value === undefined || CONTROL.test(value)) faults.set(name, 'malformed');
    else if (isLonger(value, limits[name] ?? 0)) faults.set(name, 'too-long');
    else if (value !== '') values.set(name, value);
    seen.add(name);
  }
  return { get: (name) => (faults.has(name) ? undefined : values.get(name)), faults };
}

/** Names and values in order; undefined for what cannot be decoded. */
export function formPairs(body: Buffer | string): [name: string | undefined, value: string | undefined][] {
  const text = typeof body === 'string' ? body : body.toString('latin1');
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? [decode(pair), '']
        : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
    });
}

/** `%xx` and `+` undone in strict UTF-8; undefined when that cannot be. `encoded` holds a byte a character. */
export function decode(encoded: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(encoded)) return undefined;
  const bytes = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

function isLonger(text: string, characters: number): boolean {
  return text.length > characters && Array.from(text).length > characters;
}
