import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { Database, loadOf, placesOf } from '../database/index.js';
import { DescribeQueue, FindPlaceInQueue, type QueueLoad } from '../reports/index.js';
import { GENERATE, jobIdOf } from './generation-queue.js';

const FRESH_MS = 1_000;
const MOST_PLACES = 10_000;

/** Where reports stand in the queue, as of at most a second ago. Those that are asked about together share a statement. */
@QueryHandler(FindPlaceInQueue)
export class FindPlaceInQueueHandler implements IQueryHandler<FindPlaceInQueue> {
  private readonly known = new LRUCache<string, number>({ max: MOST_PLACES, ttl: FRESH_MS });
  private asked = new Set<string>();
  private reading: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  async execute({ reportId }: FindPlaceInQueue): Promise<number | undefined> {
    const jobId = jobIdOf(reportId);
    if (this.known.get(jobId) === undefined) {
      this.asked.add(jobId);
      await this.reading;
      await (this.reading ??= this.read().finally(() => (this.reading = undefined)));
    }
    return this.known.get(jobId);
  }

  private async read(): Promise<void> {
    const jobIds = [...this.asked];
    this.asked = new Set();
    if (jobIds.length === 0) return;
    for (const [id, place] of await placesOf(this.database, GENERATE, jobIds)) this.known.set(id, place);
  }
}

/** How much there is to do, as of at most a second ago. */
@QueryHandler(DescribeQueue)
export class DescribeQueueHandler implements IQueryHandler<DescribeQueue> {
  private load: Promise<QueueLoad> | undefined;
  private readAt = -Infinity;

  constructor(private readonly database: Database) {}

  execute(): Promise<QueueLoad> {
    if (!this.load || performance.now() - this.readAt > FRESH_MS) {
      this.readAt = performance.now();
      this.load = loadOf(this.database, GENERATE);
      this.load.catch(() => (this.load = undefined));
    }
    return this.load;
  }
}
