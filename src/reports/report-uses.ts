import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { isPassing } from '../database/passing-failure.js';
import type { Caller } from './messages.js';
import { type ReportDecision, ReportRefused } from './report.js';
import { ReportStreams } from './report.streams.js';

const QUIET_MS = 1000;

interface Use {
  readonly caller: Caller;
  readonly reportId: string;
  readonly command: (count: number, at: number) => ReportDecision;
}

/**
 * Notes in a report's history that it was reused or downloaded. The first use is noted before the caller is
 * answered; what the same caller does within the next second is counted and noted together, so that a busy
 * caller costs one event a second. A crash loses at most that second's count.
 */
@Injectable()
export class ReportUses implements BeforeApplicationShutdown {
  private readonly logger = new Logger('ReportUses');
  private readonly pending = new Map<string, { use: Use; count: number; timer: NodeJS.Timeout }>();

  constructor(private readonly streams: ReportStreams) {}

  noteReuse(caller: Caller, reportId: string, cacheStatus: string): Promise<void> {
    const kind = cacheStatus.includes('collapsed') ? 'joined' : 'hit';
    const by = caller.principal.id;
    const command = (count: number, at: number): ReportDecision => ({
      do: 'reuse',
      by,
      cacheStatus,
      count,
      at,
    });
    return this.note(`${reportId} ${by} ${kind}`, { caller, reportId, command });
  }

  noteDownload(caller: Caller, reportId: string, format: string): Promise<void> {
    const by = caller.principal.id;
    const command = (count: number, at: number): ReportDecision => ({
      do: 'download',
      by,
      format,
      count,
      at,
    });
    return this.note(`${reportId} ${by} ${format}`, { caller, reportId, command });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.pending.keys()].map((key) => this.flush(key)));
  }

  private async note(key: string, use: Use): Promise<void> {
    const waiting = this.pending.get(key);
    if (waiting) {
      waiting.count++;
      return;
    }
    const timer = setTimeout(() => void this.flush(key), QUIET_MS).unref();
    this.pending.set(key, { use, count: 0, timer });
    await this.record(use, 1);
  }

  private async flush(key: string): Promise<void> {
    const waiting = this.pending.get(key);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.pending.delete(key);
    if (waiting.count > 0) await this.record(waiting.use, waiting.count);
  }

  /** A use that cannot be noted does not fail the request it belongs to. */
  private async record({ caller, reportId, command }: Use, count: number): Promise<void> {
    const meta = { actor: caller.principal.id, correlationId: caller.requestId };
    try {
      await this.streams.change(reportId, command(count, Date.now()), meta);
    } catch (error) {
      if (!(error instanceof ReportRefused))
        this.logger[isPassing(error) ? 'log' : 'warn']({ err: error }, 'a use of a report was not noted');
    }
  }
}
