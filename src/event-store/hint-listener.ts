import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Listening } from '../database/listening.js';
import { HINT_CHANNEL } from './hint-sender.js';

/** Told of the buckets that have new events. */
export type HintHandler = (buckets: readonly number[]) => void;

/**
 * Hears from every process, within some 10 ms of a commit, which buckets have new events; on one connection of its own,
 * opened for the first handler. Whoever listens also polls: hints get lost whenever that connection does.
 */
@Injectable()
export class HintListener implements OnModuleDestroy {
  private readonly handlers = new Set<HintHandler>();
  private readonly listening: Listening;

  constructor(database: Database) {
    this.listening = new Listening(database, {
      channel: HINT_CHANNEL,
      applicationName: 'muster hints',
      hear: (payload) => this.hear(payload),
    });
  }

  /** Calls `handler` at every hint until the function it answers is called. */
  listen(handler: HintHandler): () => void {
    this.handlers.add(handler);
    this.listening.open();
    return () => this.handlers.delete(handler);
  }

  async onModuleDestroy(): Promise<void> {
    await this.listening.close();
  }

  private hear(payload: string): void {
    const buckets = payload.split(',').map(Number).filter(Number.isInteger);
    for (const handler of this.handlers) handler(buckets);
  }
}
