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
/** From here on a text is prose, which may have lines. */
const LONG_TEXT = 1000;

const CONTROL = /[\u0000-\u001f\u007f]/;
const DECIMAL = /^-?\d{1,20}(\.\d{1,20})?([eE][+-]?\d{1,2})?$/;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

interface Range {
  readonly min?: number;
  readonly max?: number;
}

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

  reject(name: string, detail: string): void {
    this.problems.push({ pointer: this.pointer + (name === '' ? '' : `/${escaped(name)}`), detail });
  }

  names(): string[] {
    return Object.keys(this.value);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  isObject(name: string): boolean {
    return isObject(this.get(name));
  }

  /** A text without surrounding blanks; an empty one is absent. */
  text(name: string, limit = TEXT_LIMIT): string | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.no(name, 'must be a text.');
    const text = value.trim();
    if (text.length > limit) return this.no(name, `is longer than ${limit} characters.`);
    if (limit < LONG_TEXT && CONTROL.test(text)) return this.no(name, 'holds control characters.');
    if (!text.isWellFormed()) return this.no(name, 'holds half of a surrogate pair.');
    return text === '' ? undefined : text;
  }

  needText(name: string, limit?: number): string {
    return this.need(name, () => this.text(name, limit)) ?? '';
  }

  /** An id: texts and, because many systems number things, whole numbers. */
  id(name: string): string | undefined {
    const value = this.get(name);
    return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : this.text(name);
  }

  needId(name: string): string {
    return this.need(name, () => this.id(name)) ?? '';
  }

  head(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= HEAD_LIMIT)
      return value;
    return this.no(name, `must be a whole number of head from 0 to ${HEAD_LIMIT}.`);
  }

  needHead(name: string): number {
    return this.need(name, () => this.head(name)) ?? 0;
  }

  /** An exact decimal, given as a JSON number or a text, in its plain spelling. */
  decimal(name: string, { min, max }: Range = {}): string | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const text = typeof value === 'number' ? String(value) : exactText(value);
    if (text === undefined || !DECIMAL.test(text))
      return this.no(name, 'must be a decimal number of up to 20 digits before and after the point.');
    const number = new Big(text);
    if (min !== undefined && number.lt(min)) return this.no(name, `must not be less than ${min}.`);
    if (max !== undefined && number.gt(max)) return this.no(name, `must not be more than ${max}.`);
    return number.toFixed();
  }

  needDecimal(name: string, range?: Range): string {
    return this.need(name, () => this.decimal(name, range)) ?? '0';
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return values.find((value) => value === text) ?? this.no(name, `must be one of ${values.join(', ')}.`);
  }

  needOneOf<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    return this.need(name, () => this.oneOf(name, values)) ?? values[0];
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.no(name, 'must be true or false.');
  }

  currency(name: string): string | undefined {
    const code = this.text(name);
    if (code === undefined || CURRENCIES.has(code)) return code;
    return this.no(name, 'must be a currency code of ISO 4217, such as AUD.');
  }

  needCurrency(name: string): string {
    return this.need(name, () => this.currency(name)) ?? '';
  }

  /** A day or an instant. */
  when(name: string): When | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const when = typeof value === 'string' ? readWhen(value) : 'must be a text.';
    return typeof when === 'string' ? this.no(name, when) : when;
  }

  needWhen(name: string): When {
    return this.need(name, () => this.when(name)) ?? { instant: 0 };
  }

  object(name: string): Fields | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (isObject(value)) return new Fields(value, `${this.pointer}/${escaped(name)}`, this.problems);
    return this.no(name, 'must be an object.');
  }

  /** When it is missing, what is asked of it is not told as missing too. */
  needObject(name: string): Fields {
    const object = this.need(name, () => this.object(name));
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
    return this.need(name, () => someOf(this.list(name, read)), 'needs at least one entry.') ?? [];
  }

  private get(name: string): unknown {
    return Object.hasOwn(this.value, name) ? (this.value[name] ?? undefined) : undefined;
  }

  private need<Value>(name: string, read: () => Value | undefined, lack = 'is missing.'): Value | undefined {
    const before = this.problems.length;
    const value = read();
    return value === undefined && this.problems.length === before ? this.no(name, lack) : value;
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- nothing, in place of what was wanted
  private no<Value>(name: string, detail: string): Value | undefined {
    this.reject(name, `${name} ${detail}`);
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && exactNumber(value) === undefined
  );
}

function someOf<Item>(items: Item[]): Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

function exactText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : exactNumber(value);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
