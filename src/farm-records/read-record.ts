import type { FarmCalendar } from './calendar.js';
import {
  type FieldProblem,
  Fields,
  isObject,
  LONGEST_FEEDING_DAYS,
  READERS,
  utc,
  type When,
} from './resources/index.js';
import { rankOf, type Statement } from './statement.js';

/** A record as it is stored: the envelope, its place in time, and what it states (nothing when it is a tombstone). */
export interface ReadRecord {
  readonly resourceType: string;
  readonly source: string;
  readonly sourceId: string;
  /** Unix milliseconds. */
  readonly modified: number;
  readonly deleted: boolean;
  /** What others call it by: an animal's key, a mob's or a medicine's id. */
  readonly resourceId?: string;
  readonly statement?: Statement;
  /** Absent for what stands whatever the day, and for tombstones. */
  readonly moment?: Moment;
}

/** When an event happened on the farm. */
export interface Moment {
  readonly day: string;
  /** Unix milliseconds; the start of the day when not `timed`. */
  readonly at: number;
  readonly timed: boolean;
  readonly rank: number;
}

const RANK_OF_OTHERS = 8;

/** Reads one item of an import; either a record or every problem that it has. */
export function readRecord(
  item: unknown,
  calendar: FarmCalendar,
): { record: ReadRecord } | { problems: FieldProblem[] } {
  if (!isObject(item)) return { problems: [{ pointer: '', detail: 'An item must be a JSON object.' }] };
  const problems: FieldProblem[] = [];
  const fields = new Fields(item, '', problems);
  const resourceType = fields.needText('resourceType');
  const read = READERS.get(resourceType);
  if (!read && resourceType !== '')
    fields.reject('resourceType', `resourceType ${resourceType} is not one that can be imported.`);
  const envelope = readEnvelope(fields, resourceType);
  if (envelope.deleted || !read) return problems.length > 0 ? { problems } : { record: envelope };
  const statement = read(fields);
  const moment = 'declares' in statement ? undefined : readMoment(fields, statement, calendar);
  if (moment && 'does' in statement && statement.does === 'feed')
    checkEnd(fields, statement.feeding.end, moment);
  if (problems.length > 0) return { problems };
  return { record: { ...envelope, statement, ...identity(statement), ...(moment && { moment }) } };
}

/** What a stored record of a type states. */
export function readStatement(resourceType: string, body: unknown): Statement | undefined {
  const read = READERS.get(resourceType);
  return read && isObject(body) ? read(new Fields(body, '', [])) : undefined;
}

function readEnvelope(fields: Fields, resourceType: string): ReadRecord {
  const meta = fields.needObject('meta');
  const modified = meta.needWhen('modified');
  const sourceId = meta.has('sourceId')
    ? meta.needText('sourceId', 255)
    : (fields.id('id') ?? meta.needText('sourceId', 255));
  return {
    resourceType,
    source: meta.needText('source', 255),
    sourceId,
    modified: utc(modified),
    deleted: meta.flag('isDeleted') ?? false,
  };
}

function readMoment(
  fields: Fields,
  statement: Exclude<Statement, { declares: string }>,
  calendar: FarmCalendar,
): Moment | undefined {
  const name =
    ['eventDateTime', 'date', 'feedingStartingDateTime'].find((candidate) => fields.has(candidate)) ??
    'eventDateTime';
  const when = fields.when(name);
  if (!when) {
    if (!fields.has(name)) fields.reject(name, 'eventDateTime or date is missing.');
    return undefined;
  }
  const rank = 'does' in statement ? rankOf(statement) : RANK_OF_OTHERS;
  if ('instant' in when) return { day: calendar.dayOf(when.instant), at: when.instant, timed: true, rank };
  if (!calendar.exists(when.day))
    fields.reject(name, `${name} is ${when.day}, a day that does not exist in ${calendar.timeZone}.`);
  return { day: when.day, at: calendar.startOf(when.day), timed: false, rank };
}

/** A feeding that ends before it begins, or lasts for years, is a slip of the pen. */
function checkEnd(fields: Fields, end: When | undefined, { at }: Moment): void {
  const days = end ? (utc(end) - at) / 86_400_000 : 0;
  if (days > -1 && days <= LONGEST_FEEDING_DAYS) return;
  const range = `from 0 to ${LONGEST_FEEDING_DAYS} days after its beginning`;
  fields.reject('feedingEndDateTime', `feedingEndDateTime must lie ${range}.`);
}

function identity(statement: Statement): { resourceId?: string } {
  if (!('declares' in statement)) return {};
  switch (statement.declares) {
    case 'mob':
    case 'enterprise':
      return { resourceId: statement.named.id };
    case 'paddock':
      return { resourceId: statement.paddock.id };
    case 'animal':
      return { resourceId: statement.animal.key };
    case 'animal set':
      return { resourceId: statement.set.id };
    case 'medicine':
      return { resourceId: statement.medicine.id };
    case 'feed':
      return { resourceId: statement.feed.id };
    default:
      return {};
  }
}
