import Big from 'big.js';
import { exactNumber } from './exact-json.js';
import { readWhen, type When } from './when.js';

/** A bad field: `pointer` is a JSON pointer into the item. */
export interface FieldProblem {
  readonly pointer: string;
  readonly detail: string;
}

/** No id, name or class is longer; keys of the ledger are made of them. */
const TEXT_LIMIT = 120;
const HEAD_LIMIT = 10_000_000;
const CONTROL = /[\u0000-\u001f\u007f]/;
const DECIMAL = /^-?\d{1,20}(\.\d{1,20})?([eE][+-]?\d{1,2})?$/;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/**
 * Reads the fields of a JSON object and notes every bad one. A reader that wants a field and finds it bad gets
 * undefined or a stand-in, so that reading goes on and all problems are told at once; nothing read is used when there is one.
 * null is an absent field; fields nobody asks for are ignored.
 */
export class Fields {
  constructor(
    private readonly value: Readonly<Record<string, unknown>>,
    private readonly pointer: string,
    readonly problems: FieldProblem[],
  ) {}

  reject(name: string, detail: string): undefined {
    this.problems.push({ pointer: this.pointer + (name === '' ? '' : `/${escaped(name)}`), detail });
    return undefined;
  }

  names(): string[] {
    return Object.keys(this.value);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** A text without surrounding blanks; an empty one is absent. */
  text(name: string, limit = TEXT_LIMIT): string | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.reject(name, `${name} must be a text.`);
    const text = value.trim();
    if (text.length > limit) return this.reject(name, `${name} is longer than ${limit} characters.`);
    if (limit <= 255 && CONTROL.test(text)) return this.reject(name, `${name} holds control characters.`);
    return text === '' ? undefined : text;
  }

  needText(name: string, limit?: number): string {
    const before = this.problems.length;
    return this.text(name, limit) ?? this.missing(name, before) ?? '';
  }

  /** An id: texts and, because many systems number things, whole numbers. */
  id(name: string): string | undefined {
    const value = this.get(name);
    return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : this.text(name);
  }

  needId(name: string): string {
    const before = this.problems.length;
    return this.id(name) ?? this.missing(name, before) ?? '';
  }

  head(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= HEAD_LIMIT)
      return value;
    return this.reject(name, `${name} must be a whole number of head from 0 to ${HEAD_LIMIT}.`);
  }

  needHead(name: string): number {
    const before = this.problems.length;
    return this.head(name) ?? this.missing(name, before) ?? 0;
  }

  /** An exact decimal, given as a JSON number or a text, in its plain spelling. */
  decimal(name: string, { min, max }: { min?: number; max?: number } = {}): string | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const text = typeof value === 'number' ? String(value) : exactText(value);
    if (text === undefined || !DECIMAL.test(text))
      return this.reject(
        name,
        `${name} must be a decimal number of up to 20 digits before and after the point.`,
      );
    const number = new Big(text);
    if (min !== undefined && number.lt(min))
      return this.reject(name, `${name} must not be less than ${min}.`);
    if (max !== undefined && number.gt(max))
      return this.reject(name, `${name} must not be more than ${max}.`);
    return number.toFixed();
  }

  needDecimal(name: string, range?: { min?: number; max?: number }): string {
    const before = this.problems.length;
    return this.decimal(name, range) ?? this.missing(name, before) ?? '0';
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return (
      values.find((value) => value === text) ??
      this.reject(name, `${name} must be one of ${values.join(', ')}.`)
    );
  }

  needOneOf<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    const before = this.problems.length;
    return this.oneOf(name, values) ?? this.missing(name, before) ?? values[0];
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.reject(name, `${name} must be true or false.`);
  }

  currency(name: string): string | undefined {
    const code = this.text(name);
    if (code === undefined || CURRENCIES.has(code)) return code;
    return this.reject(name, `${name} must be a currency code of ISO 4217, such as AUD.`);
  }

  /** A day or an instant. */
  when(name: string): When | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const when = typeof value === 'string' ? readWhen(value) : 'must be a text.';
    return typeof when === 'string' ? this.reject(name, `${name} ${when}`) : when;
  }

  object(name: string): Fields | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (isObject(value)) return new Fields(value, `${this.pointer}/${escaped(name)}`, this.problems);
    return this.reject(name, `${name} must be an object.`);
  }

  needObject(name: string): Fields {
    const before = this.problems.length;
    const object = this.object(name);
    if (!object) this.missing(name, before);
    return object ?? new Fields({}, `${this.pointer}/${escaped(name)}`, []);
  }

  list<Item>(name: string, read: (item: Fields) => Item): Item[] {
    const value = this.get(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.reject(name, `${name} must be a list.`);
      return [];
    }
    return value.map((item: unknown, index) => {
      const pointer = `${this.pointer}/${escaped(name)}/${index}`;
      if (!isObject(item)) this.problems.push({ pointer, detail: `Each of ${name} must be an object.` });
      return read(new Fields(isObject(item) ? item : {}, pointer, isObject(item) ? this.problems : []));
    });
  }

  needList<Item>(name: string, read: (item: Fields) => Item): Item[] {
    const before = this.problems.length;
    const items = this.list(name, read);
    if (items.length === 0) this.missing(name, before, 'needs at least one entry.');
    return items;
  }

  private get(name: string): unknown {
    return Object.hasOwn(this.value, name) ? (this.value[name] ?? undefined) : undefined;
  }

  private missing(name: string, before: number, detail = 'is missing.'): undefined {
    return this.problems.length > before ? undefined : this.reject(name, `${name} ${detail}`);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && exactNumber(value) === undefined
  );
}

function exactText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : exactNumber(value);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
