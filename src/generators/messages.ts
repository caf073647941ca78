import type { ReportFile, ReportManifest } from '../reports/index.js';

/** An attempt at a report has begun in this process. For counting. */
export class AttemptBegun {
  constructor(
    /** From the request to its first attempt; undefined for later ones. */
    readonly waitedSeconds: number | undefined,
    /** The attempt before it never ended: its worker died, or handed it back. */
    readonly recovered: boolean,
  ) {}
}

/** What an attempt came to. `void`: the report was cancelled, or given to another worker, meanwhile. */
export type AttemptOutcome = 'completed' | 'retrying' | 'failed' | 'void' | 'handed_back';

/** An attempt at a report has ended in this process. For counting; of a completed one `manifest` says how much it was. */
export class AttemptEnded {
  readonly rows: number;
  readonly files: readonly ReportFile[];

  constructor(
    readonly type: string,
    readonly outcome: AttemptOutcome,
    readonly seconds: number,
    manifest?: ReportManifest,
  ) {
    this.rows = manifest?.rows ?? 0;
    this.files = manifest?.files ?? [];
  }
}

/** A report is made from the primary because the replica was away, too far behind, or in its way. For counting. */
export class ReplicaPassedOver {
  constructor(readonly reportId: string) {}
}
