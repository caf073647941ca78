import type { Sql } from '../database/database.js';
import { daysStated } from './courses.js';
import type { StoredFarm } from './farm-rows.js';
import { CATEGORIES } from './head-line.js';
import { parseExactly } from './resources/index.js';
import { readStatement } from './read-record.js';
import type { StockEvent, Subject } from './statement.js';
import { clearanceOf, type StockBook } from './stock-book.js';

/** What events read of the book. */
interface Scope {
  readonly mobs: Set<string>;
  readonly animals: Set<string>;
  /** Mobs whose animals may be wanted by name. */
  readonly rosters: Set<string>;
  /** Courses that go on, and the animals among those they are given to. */
  readonly courses: Set<string>;
  readonly inCourses: Set<string>;
  readonly feeds: Set<string>;
  medicines: boolean;
  everyCell: boolean;
  paddocks: boolean;
}

interface AnimalRow {
  readonly animal: string;
  readonly species: string;
  readonly enterprise: string;
  readonly age_class: string;
  readonly mob: string;
  readonly paddock: string;
  readonly since: Date;
  readonly head: string;
  readonly whp_clear: string | null;
  readonly esi_clear: string | null;
}

/** Loads into an empty book what these events read of it, as it stands at the end of the ledger. */
export async function loadBook(
  tx: Sql,
  farm: StoredFarm,
  events: readonly StockEvent[],
  book: StockBook,
): Promise<void> {
  const scope = scopeOf(events);
  const of = [farm.bucket, farm.id];
  await loadRosters(tx, of, scope);
  await loadAnimals(tx, of, scope, book);
  await loadCells(tx, of, scope, book);
  await loadTreatments(tx, of, scope, book);
  await loadDeclarations(tx, of, scope, book);
  await loadCourses(tx, of, scope, book);
}

function scopeOf(events: readonly StockEvent[]): Scope {
  const scope: Scope = {
    mobs: new Set(),
    animals: new Set(),
    rosters: new Set(),
    courses: new Set(),
    inCourses: new Set(),
    feeds: new Set(),
    medicines: false,
    everyCell: false,
    paddocks: false,
  };
  for (const event of events) widen(scope, event);
  return scope;
}

function widen(scope: Scope, event: StockEvent): void {
  switch (event.does) {
    case 'open':
      for (const { mob } of event.lines) if (mob !== undefined) scope.mobs.add(mob);
      return;
    case 'transfer':
      scope.mobs.add(event.from);
      scope.rosters.add(event.from);
      for (const { mob } of event.to) if (mob !== undefined) scope.mobs.add(mob);
      return;
    case 'join':
    case 'part':
      scope.mobs.add(event.mob);
      for (const animal of event.animals) scope.animals.add(animal);
      return;
    case 'count':
      for (const { mob } of event.lines) {
        if (mob === undefined) scope.everyCell = true;
        else scope.mobs.add(mob);
      }
      return;
    case 'treat':
      scope.medicines ||= event.treatment.medicineIds.length > 0;
      widenBy(scope, event.subject, false);
      widenByCourse(scope, event);
      return;
    case 'feed':
      for (const { feedId } of event.feeding.fed) scope.feeds.add(feedId);
      widenBy(scope, event.subject, false);
      return;
    case 'leave':
    case 'reclassify':
      widenBy(scope, event.subject, true);
      return;
    case 'move':
      scope.paddocks ||= event.observed === true;
      widenBy(scope, event.subject, false);
      return;
    default:
      widenBy(scope, event.subject, false);
      return;
  }
}

function widenBy(scope: Scope, { mob, animals }: Subject, byName: boolean): void {
  for (const animal of animals) scope.animals.add(animal);
  if (mob !== undefined) scope.mobs.add(mob);
  else if (animals.length === 0) scope.mobs.add('');
  if (byName && animals.length === 0) scope.rosters.add(mob ?? '');
}

/** What a dose withholds hangs on those before it in its course, whatever medicine they were of. */
function widenByCourse(
  scope: Scope,
  { subject, treatment: { courseId } }: Extract<StockEvent, { does: 'treat' }>,
): void {
  if (courseId === undefined) return;
  scope.medicines = true;
  scope.courses.add(courseId);
  for (const animal of subject.animals) scope.inCourses.add(animal);
}

async function loadRosters(tx: Sql, of: unknown[], scope: Scope): Promise<void> {
  const { rows: withAnimals } = await some<{ mob: string }>(
    tx,
    of,
    scope.rosters,
    'rosters-with-animals',
    `SELECT DISTINCT mob FROM head_balance WHERE bucket = $1 AND farm_id = $2 AND mob = ANY($3) AND managed AND head <> 0`,
  );
  const { rows } = await some<{ animal: string }>(
    tx,
    of,
    new Set(withAnimals.map(({ mob }) => mob)),
    'animals-of-mobs',
    `SELECT DISTINCT animal FROM head_line WHERE bucket = $1 AND farm_id = $2 AND mob = wanted.key AND animal <> '' AND delta > 0`,
  );
  for (const { animal } of rows) scope.animals.add(animal);
}

/** An animal is where the last line put it that brought it somewhere, or else where it was first seen; its sum tells whether it is still there. */
async function loadAnimals(tx: Sql, of: unknown[], scope: Scope, book: StockBook): Promise<void> {
  const { rows } = await some<AnimalRow>(
    tx,
    of,
    scope.animals,
    'animals-by-key',
    `SELECT animal, species, enterprise, age_class, mob, paddock, at AS since, sum(delta) OVER own AS head,
            (max(whp_clear) FILTER (WHERE delta >= 0) OVER own)::text AS whp_clear,
            (max(esi_clear) FILTER (WHERE delta >= 0) OVER own)::text AS esi_clear
       FROM head_line
      WHERE bucket = $1 AND farm_id = $2 AND animal = wanted.key AND animal <> ''
     WINDOW own AS (PARTITION BY animal)
      ORDER BY delta > 0 DESC, CASE WHEN delta > 0 THEN -turn ELSE turn END, CASE WHEN delta > 0 THEN -line ELSE line END
      LIMIT 1`,
  );
  for (const row of rows) {
    const { species, enterprise, age_class: ageClass, mob, paddock } = row;
    const clearance = clearanceOf({
      whpClear: row.whp_clear ?? undefined,
      esiClear: row.esi_clear ?? undefined,
    });
    book.loadAnimal(row.animal, {
      holding: { species, enterprise, ageClass, mob, paddock },
      head: Number(row.head),
      since: row.since.getTime(),
      ...clearance,
    });
    scope.mobs.add(mob);
  }
}

async function loadCells(tx: Sql, of: unknown[], scope: Scope, book: StockBook): Promise<void> {
  const columns =
    'SELECT species, enterprise, age_class, mob, paddock, managed, head FROM head_balance WHERE bucket = $1 AND farm_id = $2 AND head <> 0';
  interface Row {
    species: string;
    enterprise: string;
    age_class: string;
    mob: string;
    paddock: string;
    managed: boolean;
    head: string;
  }
  const { rows } = scope.everyCell
    ? await tx.query<Row>({ name: 'every-cell', text: columns, values: of })
    : await some<Row>(tx, of, scope.mobs, 'cells-of-mobs', `${columns} AND mob = wanted.key`);
  for (const { age_class: ageClass, managed, head, ...rest } of rows) {
    book.loadCell({ ...rest, ageClass }, managed, Number(head));
    scope.mobs.add(rest.mob);
  }
}

async function loadTreatments(tx: Sql, of: unknown[], scope: Scope, book: StockBook): Promise<void> {
  interface Row {
    mob: string;
    at: Date;
    whp_clear: string | null;
    esi_clear: string | null;
    loose: boolean;
  }
  const { rows } = await some<Row>(
    tx,
    of,
    scope.mobs,
    'treatments-of-mobs',
    `SELECT DISTINCT mob, at, whp_clear::text, esi_clear::text,
            turn > coalesce((SELECT max(turn) FROM head_line WHERE bucket = $1 AND farm_id = $2 AND mob = wanted.key AND empties), -1) AS loose
       FROM head_line
      WHERE bucket = $1 AND farm_id = $2 AND mob = wanted.key AND mob <> '' AND animal = '' AND delta >= 0
        AND (whp_clear IS NOT NULL OR esi_clear IS NOT NULL)`,
  );
  for (const { mob, at, whp_clear, esi_clear, loose } of rows) {
    book.loadTreatment(
      mob,
      at.getTime(),
      clearanceOf({ whpClear: whp_clear ?? undefined, esiClear: esi_clear ?? undefined }),
      loose,
    );
  }
}

/** The doses that courses have had, as far as they withhold. */
async function loadCourses(tx: Sql, of: unknown[], scope: Scope, book: StockBook): Promise<void> {
  if (scope.courses.size === 0) return;
  interface Row {
    animal: string;
    mob: string;
    resource_type: string;
    body: string;
  }
  const doses = (whose: string) => `
    SELECT l.animal, l.mob, r.resource_type, r.body::text FROM head_line l
      JOIN farm_record r ON r.bucket = l.bucket AND r.farm_id = l.farm_id AND r.at = l.at AND r.number = l.record
     WHERE l.bucket = $1 AND l.farm_id = $2 AND r.bucket = $1 AND r.farm_id = $2 AND ${whose}
       AND l.category = ${CATEGORIES.indexOf('treatment')} AND (l.whp_clear IS NOT NULL OR l.esi_clear IS NOT NULL)
       AND r.body #>> '{ext,courseId}' IS NOT NULL`;
  const ofAnimal = doses(`l.animal = wanted.key AND l.animal <> ''`);
  const ofMob = doses(`l.mob = wanted.key AND l.animal = ''`);
  for (const { rows } of [
    await some<Row>(tx, of, scope.inCourses, 'courses-of-animals', ofAnimal),
    await some<Row>(tx, of, scope.mobs, 'courses-of-mobs', ofMob),
  ]) {
    for (const { resource_type, body, ...treated } of rows) {
      const statement = readStatement(resource_type, parseExactly(body));
      if (!statement || !('does' in statement) || statement.does !== 'treat') continue;
      const { treatment } = statement;
      if (treatment.courseId === undefined || !scope.courses.has(treatment.courseId)) continue;
      book.courses.note(treatment.courseId, treated, daysStated(treatment, book.medicines.of(treatment)));
    }
  }
}

/** Later words on the same thing win: the order of `modified`, then of ids. */
async function loadDeclarations(tx: Sql, of: unknown[], scope: Scope, book: StockBook): Promise<void> {
  interface Row {
    resource_type: string;
    body: string;
  }
  const declared = `SELECT resource_type, body::text, modified, source, source_id FROM farm_record
                     WHERE bucket = $1 AND farm_id = $2 AND at IS NULL AND NOT deleted`;
  const order = 'ORDER BY modified, source, source_id';
  const ids = new Map([
    ['icarAnimalCoreResource', scope.animals],
    ['Mob', scope.mobs],
    ['icarFeedResource', scope.feeds],
  ]);
  for (const [resourceType, keys] of ids) {
    const text = `${declared} AND resource_type = '${resourceType}' AND resource_id = wanted.key`;
    const { rows } = await some<Row>(tx, of, keys, `declared-${resourceType}`, text, order);
    for (const { resource_type, body } of rows) declare(book, resource_type, body);
  }
  const whole = [
    ...(scope.medicines ? ['icarMedicineResource'] : []),
    ...(scope.paddocks ? ['Paddock'] : []),
  ];
  if (whole.length === 0) return;
  const { rows } = await tx.query<Row>(`${declared} AND resource_type = ANY($3) ${order}`, [...of, whole]);
  for (const { resource_type, body } of rows) declare(book, resource_type, body);
}

function declare(book: StockBook, resourceType: string, body: string): void {
  const statement = readStatement(resourceType, parseExactly(body));
  if (!statement || !('declares' in statement)) return;
  if (statement.declares === 'animal') book.declareAnimal(statement.animal);
  if (statement.declares === 'medicine') book.medicines.add(statement.medicine);
  if (statement.declares === 'feed') book.feedDays.set(statement.feed.id, statement.feed.whpDays);
  if (statement.declares === 'mob' && statement.named.species !== undefined)
    book.declareMobSpecies(statement.named.id, statement.named.species);
  if (statement.declares === 'paddock')
    book.declarePaddock(statement.paddock.id, statement.paddock.name ?? statement.paddock.id);
}

/**
 * Rows of a query for each of many keys, `wanted.key`. Asked key by key on purpose: a planner that takes farms for small, as it does before
 * it has statistics, would read a whole farm for a list of keys.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as in the queries of pg
async function some<Row extends object>(
  tx: Sql,
  of: unknown[],
  keys: ReadonlySet<string>,
  name: string,
  query: string,
  order = '',
): Promise<{ rows: Row[] }> {
  if (keys.size === 0) return { rows: [] };
  const text = `SELECT found.* FROM unnest($3::text[]) AS wanted(key) CROSS JOIN LATERAL (${query} OFFSET 0) AS found ${order}`;
  return tx.query({ name, text, values: [...of, [...keys]] });
}
