import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { bookEvents, type PlacedEvent } from './book-events.js';
import { FarmCalendar } from './calendar.js';
import { findFarm, instant, lockFarm, saveState, type StoredFarm } from './farm-rows.js';
import { earlier, firstAffected, revalued } from './first-affected.js';
import type { ImportItem } from './import-items.js';
import { type ImportCounts, type ImportSummary, ImportTally } from './import-tally.js';
import { readRecord } from './read-record.js';
import { type FieldProblem, parseExactly, UnreadableJson } from './resources/index.js';
import { revalueMovements, revaluing } from './revalue.js';
import { rebook, settleFarm } from './settle.js';
import { type IncomingRecord, type StoredRecord, storeRecords } from './store-records.js';

/** Records stored and booked in one transaction. */
const BATCH_RECORDS = 5_000;
const BATCH_CHARACTERS = 8_000_000;
/** Events in the way of a batch, for each record of it, that are booked again at once rather than at the import's end. */
const REBOOKED_AT_ONCE = 2;

export class UnknownFarm extends Error {}
/** The farm's time zone changed while records were read by the old one. Sending them again is safe. */
export class FarmChanged extends Error {}

interface BatchItem extends IncomingRecord {
  readonly item: ImportItem;
}

/**
 * Imports records into a farm's store and ledger. Batches are committed one by one: an item is whole or not at all, and what a
 * broken import has taken in stays. Batches that follow all that is booked are booked with their commit; what
 * lies further back is marked and booked when the import ends, or, should it die, by whoever reads the farm next.
 * `tell` hears of every batch what became of its items.
 */
@Injectable()
export class Importer {
  constructor(private readonly database: Database) {}

  async import(
    farmId: string,
    source: AsyncIterable<readonly ImportItem[]> | Iterable<readonly ImportItem[]>,
    itemised = false,
    tell: (news: ImportCounts) => void = () => undefined,
  ): Promise<ImportSummary> {
    const farm = await findFarm(this.database, farmId);
    if (!farm) throw new UnknownFarm();
    const tally = new ImportTally(itemised);
    const run = new ImportRun(this.database, farm, tally, () => {
      tell(tally.news());
    });
    try {
      for await (const items of source) for (const item of items) await run.take(item);
      await run.flush();
    } finally {
      await run.finish();
    }
    return tally.summary();
  }
}

class ImportRun {
  private readonly calendar: FarmCalendar;
  private batch = new Map<string, BatchItem>();
  private characters = 0;
  /** The batch before, while the next one is being read. */
  private storing: Promise<void> = Promise.resolve();
  private deferred = false;

  constructor(
    private readonly database: Database,
    private readonly farm: StoredFarm,
    private readonly tally: ImportTally,
    private readonly tell: () => void,
  ) {
    this.calendar = new FarmCalendar(farm.timeZone);
  }

  async take(item: ImportItem): Promise<void> {
    const read = this.read(item);
    if ('problems' in read) {
      this.tally.reject(item.place, read.problems);
      return;
    }
    const { source, sourceId } = read.record;
    const key = `${source}\n${sourceId}`;
    const twin = this.batch.get(key);
    if (twin?.body === read.body) {
      this.tally.count(item.place, 'unchanged', sourceId);
      return;
    }
    if (twin) await this.store();
    this.batch.set(key, read);
    this.characters += read.body.length;
    if (this.batch.size >= BATCH_RECORDS || this.characters >= BATCH_CHARACTERS) await this.store();
  }

  async flush(): Promise<void> {
    await this.store();
    await this.storing;
  }

  /** Whatever ended the import: nothing stays unbooked that can be booked. */
  async finish(): Promise<void> {
    await this.storing.catch(() => undefined);
    this.tell();
    if (this.deferred) await this.database.transaction((tx) => settleFarm(tx, this.farm.id));
  }

  private read(item: ImportItem): BatchItem | { problems: readonly FieldProblem[] } {
    if ('problems' in item) return item;
    const { text, inItsWords = (problems) => problems } = item;
    try {
      const read = readRecord(parseExactly(text), this.calendar);
      if ('problems' in read) return { problems: inItsWords(read.problems) };
      return { item, record: read.record, body: text };
    } catch (error) {
      if (error instanceof UnreadableJson) return { problems: [{ pointer: '', detail: error.message }] };
      throw error;
    }
  }

  private async store(): Promise<void> {
    await this.storing;
    const batch = [...this.batch.values()];
    this.batch = new Map();
    this.characters = 0;
    this.storing = this.storeBatch(batch).then(this.tell);
    this.storing.catch(() => undefined);
  }

  private async storeBatch(batch: readonly BatchItem[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const stored = await this.database.transaction((tx) => this.storeAndBook(tx, batch));
      stored.forEach(({ outcome, record }, index) =>
        this.tally.count(batch[index]?.item.place, outcome, record.sourceId),
      );
    } catch (error) {
      if (!isDataError(error)) throw error;
      await this.storeInParts(batch);
    }
  }

  /** PostgreSQL could not hold something that passed our reading: finds out which item it was. */
  private async storeInParts(batch: readonly BatchItem[]): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only) {
      this.tally.reject(only.item.place, [
        { pointer: '', detail: 'It holds something that cannot be stored.' },
      ]);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await this.storeBatch(batch.slice(0, middle));
    await this.storeBatch(batch.slice(middle));
  }

  private async storeAndBook(tx: Transaction, batch: readonly BatchItem[]): Promise<StoredRecord[]> {
    const farm = await lockFarm(tx, this.farm.id);
    if (!farm) throw new UnknownFarm();
    if (farm.timeZone !== this.calendar.timeZone) throw new FarmChanged();
    const stored = await storeRecords(tx, farm, batch);
    const changed = stored.filter(({ outcome }) => outcome !== 'unchanged');
    if (changed.length === 0) return stored;
    const from = await this.bookedAnewFrom(tx, farm, changed);
    const booked = from === undefined ? farm : await this.book(tx, farm, changed, from);
    this.deferred ||= booked.unsettledFrom !== undefined;
    const { lastAt, turns, unsettledFrom } = booked;
    await saveState(tx, farm, { position: farm.position + batch.length, lastAt, turns, unsettledFrom });
    return stored;
  }

  /** Movements that are only worth something else are seen to at once, unless booking all that follows them anew takes less. */
  private async bookedAnewFrom(
    tx: Transaction,
    farm: StoredFarm,
    changed: readonly StoredRecord[],
  ): Promise<number | undefined> {
    const from = await firstAffected(tx, farm, changed);
    const unbooked = earlier(from, farm.unsettledFrom) ?? Infinity;
    const atOf = ({ record }: StoredRecord) => record.moment?.at ?? Infinity;
    const movements = revalued(changed).filter((movement) => atOf(movement) < unbooked);
    if (movements.length === 0) return from;
    const first = Math.min(...movements.map(atOf));
    const bearable = movements.length * revaluing.eventsInTheTime;
    if ((await eventsFrom(tx, farm, first, bearable + 1)) <= bearable) return first;
    await revalueMovements(tx, farm, movements);
    return from;
  }

  private async book(
    tx: Transaction,
    farm: StoredFarm,
    changed: readonly StoredRecord[],
    from: number,
  ): Promise<
    Pick<StoredFarm, 'turns'> & { lastAt?: number | undefined; unsettledFrom?: number | undefined }
  > {
    if (farm.unsettledFrom !== undefined)
      return { ...farm, unsettledFrom: earlier(farm.unsettledFrom, from) };
    if (farm.lastAt === undefined || from > farm.lastAt) {
      // Of what is booked already only that was replaced which is booked as it was.
      const unbooked = changed.filter(({ record: { moment } }) => moment !== undefined && moment.at >= from);
      const turns = await bookEvents(tx, farm, this.calendar, inOrder(unbooked), farm.turns);
      return { turns, lastAt: Math.max(...changed.map(({ record }) => record.moment?.at ?? from)) };
    }
    const bearable = changed.length * REBOOKED_AT_ONCE + 100;
    if ((await eventsFrom(tx, farm, from, bearable + 1)) > bearable) return { ...farm, unsettledFrom: from };
    return rebook(tx, farm, from);
  }
}

function inOrder(stored: readonly StoredRecord[]): PlacedEvent[] {
  return stored
    .toSorted(byPlace)
    .flatMap(({ number, record: { moment, statement } }) =>
      moment && statement && 'does' in statement ? [{ number, moment, event: statement }] : [],
    );
}

function byPlace({ record: one }: StoredRecord, { record: other }: StoredRecord): number {
  return (
    (one.moment?.at ?? 0) - (other.moment?.at ?? 0) ||
    (one.moment?.rank ?? 0) - (other.moment?.rank ?? 0) ||
    compareBytes(one.source, other.source) ||
    compareBytes(one.sourceId, other.sourceId)
  );
}

/** As the database orders texts of collation C. */
function compareBytes(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}

async function eventsFrom(tx: Transaction, farm: StoredFarm, from: number, limit: number): Promise<number> {
  const { rows } = await tx.query<{ events: number }>(
    `SELECT count(*)::integer AS events
       FROM (SELECT FROM farm_record WHERE bucket = $1 AND farm_id = $2 AND at >= $3 LIMIT $4) AS later`,
    [farm.bucket, farm.id, instant(from), limit],
  );
  return rows[0]?.events ?? 0;
}

/** A value PostgreSQL refuses, or a program limit of its own: the fault of the data. */
function isDataError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('22') || code.startsWith('54');
}
