/** JSON whose numbers keep every digit: V8 gives revivers the source text, which TypeScript does not know yet. */
interface RawJson {
  readonly rawJSON: string;
}
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}
const exact = JSON as unknown as ExactJson;

/** More digits than a double surely holds, or an exponent of three digits. Every number begins with a digit: most places are passed at a glance. */
const SUSPICIOUS = /\d(?:[\d.]{15}|[eE][+-]?\d{3})/;
/** What a decimal of ours and of PostgreSQL can hold without trouble. */
const SANE_NUMBER = /^-?\d{1,100}(\.\d{1,100})?([eE][+-]?\d{1,2})?$/;
const DEPTH_LIMIT = 100;
/** Half of it is the deepest that a shorter text can nest, which PostgreSQL bears. */
const SHORT = 2_000;

export class UnreadableJson extends Error {}

/** The number's text when it could not be held as a number without losing digits. */
export function exactNumber(value: unknown): string | undefined {
  return exact.isRawJSON(value) ? value.rawJSON : undefined;
}

/**
 * Parses JSON that is to be stored as it stands. Numbers beyond a double keep their text (see exactNumber). Throws
 * UnreadableJson, with a sentence for people, for what is no JSON or what PostgreSQL cannot store: NUL characters, halves of
 * surrogate pairs, numbers and nesting beyond reason.
 */
export function parseExactly(text: string): unknown {
  if (text.length > SHORT && deeper(text, DEPTH_LIMIT))
    throw new UnreadableJson(`It is nested deeper than ${DEPTH_LIMIT} levels.`);
  const value = parse(text);
  if (text.includes('\\u') || !text.isWellFormed()) refuseUnstorableText(value);
  return value;
}

/** The same without a judgement on what it holds; undefined for what is no JSON. */
export function parseLeniently(text: string): { value: unknown } | undefined {
  try {
    return {
      value: SUSPICIOUS.test(text)
        ? exact.parse(text, (_key, value, { source }) => rawIfLossy(value, source))
        : JSON.parse(text),
    };
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return SUSPICIOUS.test(text) ? exact.parse(text, keepDigits) : JSON.parse(text);
  } catch (error) {
    if (error instanceof UnreadableJson) throw error;
    throw new UnreadableJson('It cannot be read as JSON.');
  }
}

function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  if (!SANE_NUMBER.test(source)) throw new UnreadableJson(`It holds a number out of range.`);
  return rawIfLossy(value, source);
}

function rawIfLossy(value: unknown, source: string | undefined): unknown {
  return typeof value !== 'number' || source === undefined || String(value) === source
    ? value
    : exact.rawJSON(source);
}

function deeper(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 0x5c) index++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function refuseUnstorableText(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new UnreadableJson('It holds a NUL character.');
    if (!value.isWellFormed()) throw new UnreadableJson('It holds half of a surrogate pair.');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      refuseUnstorableText(key);
      refuseUnstorableText(inner);
    }
  }
}
