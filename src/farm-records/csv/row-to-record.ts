import type { FarmCalendar } from '../calendar.js';
import { type FieldProblem, readWhen } from '../resources/index.js';
import { type Cells, columnOf, type ColumnName } from './columns.js';
import { ENVELOPE, type Form, type Kind, KINDS } from './kinds.js';

/** What every row shares that does not say otherwise. */
export interface Defaults {
  readonly currency: string;
  readonly calendar: FarmCalendar;
}

/** A row as a record, and the columns that its fields came from, by JSON pointer. */
export interface RowRecord {
  readonly record: object;
  readonly origins: ReadonlyMap<string, ColumnName>;
}

/** The ids say which row it is; rows carry no time of change, so what arrives later wins. */
const MODIFIED = '1970-01-01T00:00:00Z';
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_AND_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ]([^ ].*))?$/;
const TIME = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Reads a row; every bad cell is told at once, its column as the pointer. */
export function toRecord(
  cells: Cells,
  sourceId: string,
  defaults: Defaults,
): RowRecord | { readonly problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const kind = KINDS[cells.get('record') ?? ''];
  if (!kind) {
    const detail = `record must be one of ${Object.keys(KINDS).join(', ')}.`;
    return { problems: [{ pointer: '/record', detail }] };
  }
  const isDeleted = cells.get('deleted') === 'yes';
  const form = formOf(kind, cells);
  checkCells(cells, problems);
  if (!form) problems.push(problem('tag', `tag cannot be used by ${cells.get('record')} rows.`));
  else if (!isDeleted) checkColumns(kind, form, cells, problems);
  const when = isDeleted ? undefined : readMoment(cells, form, defaults, problems);
  if (problems.length > 0 || !form) return { problems };
  const meta = { source: cells.get('source') ?? 'csv', sourceId, modified: MODIFIED };
  const { resourceType } = form;
  if (isDeleted) return { record: { resourceType, meta: { ...meta, isDeleted } }, origins: new Map() };
  const filling = new Filling({ resourceType, meta });
  for (const [pointer, value] of Object.entries(form.says)) filling.set(pointer, value);
  fillDefaults(filling, form, cells, defaults);
  if (when !== undefined) filling.set('/eventDateTime', when, 'date');
  for (const [column, text] of cells) {
    if (column === 'date' && when !== undefined) continue;
    for (const pointer of form.places[column] ?? []) {
      if (pointer === '/ext/unitCost/unit' && !cells.has('unit_cost')) continue;
      if (column === 'currency' && !filling.has(pointer)) continue;
      filling.set(pointer, valueOf(column, text), column);
    }
  }
  return filling;
}

function formOf({ byHead, byTag }: Kind, cells: Cells): Form | undefined {
  return cells.has('tag') ? byTag : byHead(cells);
}

/** The instant of a row that says a time of day, in its date or beside it; undefined for one that does not, or says it badly. */
function readMoment(
  cells: Cells,
  form: Form | undefined,
  { calendar }: Defaults,
  problems: FieldProblem[],
): string | undefined {
  const [, day = '', inDate] = DAY_AND_TIME.exec(cells.get('date') ?? '') ?? [];
  const time = inDate ?? cells.get('time');
  // What is wrong with the day itself is told by whoever reads the record.
  if (time === undefined || typeof readWhen(day) === 'string') return undefined;
  const moment = momentAt(day, time, calendar);
  const wrong =
    (inDate && cells.has('time') && 'has a time already: leave time blank.') ||
    (inDate && !form?.places.time && 'must be a day without a time.') ||
    ('wrong' in moment && moment.wrong);
  const column = inDate ? 'date' : 'time';
  if (wrong) problems.push(problem(column, `${column} ${wrong}`));
  return 'at' in moment ? new Date(moment.at).toISOString() : undefined;
}

function momentAt(day: string, time: string, calendar: FarmCalendar): { at: number } | { wrong: string } {
  if (!TIME.test(time))
    return { wrong: `has a time of day that is not written hours:minutes, such as 14:30: ${quoted(time)}.` };
  const at = calendar.instantAt(day, time.indexOf(':') === 1 ? `0${time}` : time);
  if (at === undefined) return { wrong: `is a time that no clock showed on ${day} in ${calendar.timeZone}.` };
  return { at };
}

function checkCells(cells: Cells, problems: FieldProblem[]): void {
  for (const [name, text] of cells) {
    const { type, words, of } = columnOf(name);
    const wrong = (detail: string) => problems.push(problem(name, `${name} ${detail}`));
    if (text.includes('\ufffd')) wrong('is not UTF-8: save the file as "CSV UTF-8".');
    else if ((type === 'day' && !DAY.test(text)) || (type === 'moment' && !DAY_AND_TIME.test(text)))
      wrong(`must be a day written year-month-day, such as 2024-09-14; it is ${quoted(text)}.`);
    else if (type === 'decimal' && !DECIMAL.test(text)) wrong(decimalAdvice(text));
    else if (type === 'head' && !/^\d+$/.test(text))
      wrong(`must be a whole number of head, without separators; it is ${quoted(text)}.`);
    else if (type === 'flag' && text !== 'yes' && text !== 'no') wrong('must be yes or no.');
    else if (words && !Object.hasOwn(words, text)) wrong(`must be one of ${Object.keys(words).join(', ')}.`);
    else if (of && !of.some((other) => cells.has(other as ColumnName)))
      wrong(`says something of ${of.join(' or ')}, which is blank.`);
  }
}

function decimalAdvice(text: string): string {
  if (/^-?\d+,\d+$/.test(text))
    return `must be written with a decimal point: ${text.replace(',', '.')}, not ${text}; for thousands no separator.`;
  return `must be a number such as 12.50, without separators, units or signs of currency; it is ${quoted(text)}.`;
}

function checkColumns(kind: Kind, { places }: Form, cells: Cells, problems: FieldProblem[]): void {
  const what = `a ${cells.get('record')}${cells.has('tag') ? ' of one animal' : ''}`;
  for (const name of cells.keys()) {
    if (!places[name] && !ENVELOPE.includes(name))
      problems.push(problem(name, `${name} is not a column of ${what}: leave it blank.`));
  }
  for (const name of kind.required)
    if (!cells.has(name)) problems.push(problem(name, `${name} is missing: ${what} needs it.`));
  for (const names of kind.oneOf) {
    if (names.some((name) => cells.has(name))) continue;
    problems.push(problem(names[0] ?? 'record', `${names.join(' or ')} is missing: ${what} needs it.`));
  }
}

/** What a blank cell means beside others that are not. */
function fillDefaults(filling: Filling, { places }: Form, cells: Cells, { currency }: Defaults): void {
  if (places.tag && places.tag_scheme)
    for (const pointer of places.tag_scheme) filling.set(pointer, 'tag', 'tag');
  if (cells.has('price')) {
    filling.set('/ext/trade/price/currency', currency, 'currency');
    filling.set('/ext/trade/price/basis', 'perHead', 'price_basis');
  }
  if (cells.has('weight')) filling.set('/ext/trade/weight/unit', 'KGM', 'weight');
  if (cells.has('unit_cost')) filling.set('/ext/unitCost/currency', currency, 'currency');
}

function valueOf(name: ColumnName, text: string): string | number | boolean {
  const { type, words } = columnOf(name);
  if (type === 'flag') return text === 'yes';
  return type === 'head' ? Number(text) : (words?.[text] ?? text);
}

function problem(column: ColumnName, detail: string): FieldProblem {
  return { pointer: `/${column}`, detail };
}

function quoted(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}

type Node = Record<string, unknown>;

/** A record that is filled field by field. */
class Filling implements RowRecord {
  readonly origins = new Map<string, ColumnName>();

  constructor(readonly record: object) {}

  has(pointer: string): boolean {
    return this.origins.has(pointer);
  }

  set(pointer: string, value: string | number | boolean, column?: ColumnName): void {
    const path = pointer.slice(1).split('/');
    const last = path.pop() ?? '';
    const at: string[] = [];
    let node = this.record as Node;
    for (const [index, step] of path.entries()) {
      const key = step === '-' ? String((node as unknown as unknown[]).length) : step;
      const next = path[index + 1] ?? last;
      node = (node[key] ??= /^(-|\d+)$/.test(next) ? [] : {}) as Node;
      at.push(key);
      if (step === '-' && column) node.kind = column === 'other_fees' ? 'other' : column;
    }
    node[last] = value;
    if (column) this.origins.set(`/${[...at, last].join('/')}`, column);
  }
}
