import type { Sql } from '../database/database.js';

export interface ErasedFarm {
  readonly bucket: number;
  readonly id: string;
}

/** What one module keeps about farms, and how it goes for good. Every statement runs as the owner of the tables. */
export interface FarmEraser {
  readonly name: string;
  /**
   * The farm itself and all that is kept by its id, but for streams; answers how many rows there were. Runs first, in one
   * transaction with every other module's.
   */
  eraseFarm?(tx: Sql, farm: ErasedFarm): Promise<number>;
  /** What is kept about these streams of the farm, in the transaction that erases their events. */
  eraseStreams?(tx: Sql, farm: ErasedFarm, streamIds: readonly string[]): Promise<void>;
}
