import { hash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Database } from '../database/database.js';
import { bucketOf, ERASED_TENANT, eraseStreams, EventStore, mayEraseStreams } from '../event-store/index.js';
import type { ErasedFarm, FarmEraser } from './farm-eraser.js';

const STREAMS_AT_ONCE = 200;
/** Longer than a create may take from its look at the farm to its commit. */
const LATE_CREATE_MS = 2_000;

/** A farm is erased. Who knows its id can tell that it was this one; nobody else learns the id. */
class FarmErased {
  readonly type = 'FarmErased';
  constructor(
    readonly farmSha256: string,
    readonly streams: number,
    readonly at: number,
  ) {}
}

/** Nothing was done. */
class NotTheOwner extends Error {
  constructor() {
    super('a farm is erased by the owner of the tables: give the address with that login in DATABASE_URL');
  }
}

/** What all modules keep about a farm, gone for good: records, reports, contents, and who had access. */
@Injectable()
export class Erasure {
  private readonly erasers: FarmEraser[] = [];

  constructor(private readonly store: EventStore) {}

  /** Registers what a module keeps about farms; call it in `onModuleInit`. */
  add(eraser: FarmEraser): void {
    this.erasers.push(eraser);
  }

  /**
   * Erases a farm and answers how many streams it had; undefined when nothing is kept about it. Nothing can be asked of the farm from the first commit on. Broken off, it is
   * whole at every commit and goes on where it was when it is run again. Throws NotTheOwner. Of events only their places stay, since a log has no gaps.
   */
  async erase(
    owner: Database,
    farmId: string,
    erased: (streams: number) => void,
  ): Promise<number | undefined> {
    if (!(await mayEraseStreams(owner))) throw new NotTheOwner();
    const farm = { bucket: bucketOf(farmId), id: farmId };
    const rows = await owner.transaction(async (tx) => {
      let gone = 0;
      for (const eraser of this.erasers) gone += (await eraser.eraseFarm?.(tx, farm)) ?? 0;
      return gone;
    });
    let streams = await this.eraseAll(owner, farm, erased);
    await new Promise((resolve) => setTimeout(resolve, LATE_CREATE_MS));
    streams += await this.eraseAll(owner, farm, erased);
    if (rows === 0 && streams === 0) return undefined;
    await this.note(farmId, streams);
    return streams;
  }

  private async eraseAll(
    owner: Database,
    farm: ErasedFarm,
    erased: (streams: number) => void,
  ): Promise<number> {
    for (let streams = 0; ;) {
      const batch = await owner.transaction(async (tx) => {
        const ids = await eraseStreams(tx, farm.bucket, farm.id, STREAMS_AT_ONCE);
        if (ids.length > 0) for (const eraser of this.erasers) await eraser.eraseStreams?.(tx, farm, ids);
        return ids.length;
      });
      if (batch === 0) return streams;
      erased((streams += batch));
    }
  }

  private async note(farmId: string, streams: number): Promise<void> {
    const id = randomUUID();
    const tenantId = ERASED_TENANT;
    const stream = { bucket: bucketOf(tenantId), tenantId, streamType: 'erasure', streamId: `erasure-${id}` };
    const event = new FarmErased(hash('sha256', farmId, 'hex'), streams, Date.now());
    await this.store.appendAlone(stream, 0, [{ id, event }], { actor: 'command-line' });
  }
}
