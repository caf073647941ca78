import { Command, Query } from '@nestjs/cqrs';
import type { Farm } from './farm.js';
import type { ImportItem } from './import-items.js';
import type { ImportCounts, ImportSummary } from './import-tally.js';

/** Creates a farm, or changes it. `settings` is the body of `PUT /v2/farms/{farmId}`, unread. Throws InvalidFarm. */
export class SaveFarm extends Command<{ readonly farm: Farm; readonly created: boolean }> {
  constructor(
    readonly farmId: string,
    readonly settings: unknown,
  ) {
    super();
  }
}

/** Books what an import of the farm left unbooked, for instance because it was killed. */
export class SettleFarm extends Command<void> {
  constructor(readonly farmId: string) {
    super();
  }
}

/** A farm, or undefined. */
export class FindFarm extends Query<Farm | undefined> {
  constructor(readonly farmId: string) {
    super();
  }
}

/** Farms in the order of their ids, those of `ids` or all, after one id. */
export class ListFarms extends Query<readonly Farm[]> {
  constructor(
    readonly ids: ReadonlySet<string> | 'all',
    readonly after: string,
    readonly limit: number,
  ) {
    super();
  }
}

/**
 * Imports records into a farm. Items come from `readJson`, `readNdjson` and `readCsv`, any number of them. `itemised` asks for what became of
 * each. Throws UnknownFarm, and FarmChanged when the farm's time zone changed meanwhile (what was read stays; send all again).
 */
export class ImportRecords extends Command<ImportSummary> {
  constructor(
    readonly farmId: string,
    readonly items: AsyncIterable<readonly ImportItem[]> | Iterable<readonly ImportItem[]>,
    readonly itemised = false,
  ) {
    super();
  }
}

/** An import in this process has come so much further: told a few times a second at most, and when it ends, whatever ends it. For counting. */
export class RecordsImported {
  constructor(readonly counts: ImportCounts) {}
}

/** Where a list of records goes on. */
export interface RecordCursor {
  readonly source: string;
  readonly sourceId: string;
}

/** Records as they were imported, each as JSON text, in the order of their ids, tombstones included. */
export class ListRecords extends Query<{
  readonly records: readonly string[];
  readonly next?: RecordCursor;
}> {
  constructor(
    readonly farmId: string,
    readonly limit: number,
    readonly after?: RecordCursor,
    readonly resourceType?: string,
  ) {
    super();
  }
}
