const LOOK_EVERY_MS = 250;
const ANSWER_WITHIN_MS = 500;
const SETTLE_MS = 2_000;
const MB = 1024 * 1024;
/** What the process itself may grow by beside its threads. */
const OWN_MB = 512;

/** A thread at work, as the watch sees it. */
export interface WatchedThread {
  /** Bytes of its heap and buffers; slow or never to come from a thread that does not turn its event loop. */
  size(): Promise<number>;
  end(): void;
}

/**
 * V8 ends a thread whose heap outgrows its limit, but does not count buffers and cannot end every tight loop. When the
 * process has grown beyond all its threads' limits together, the watch ends the thread that takes the most, or does not answer.
 */
export class MemoryWatch {
  private readonly timer: NodeJS.Timeout;
  private ceiling: number;
  private quietUntil = 0;

  constructor(
    private readonly threads: () => readonly WatchedThread[],
    private readonly allowedMb: number,
  ) {
    this.ceiling = this.ceilingFrom(process.memoryUsage.rss());
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const resident = process.memoryUsage.rss();
    if (resident < this.ceiling || performance.now() < this.quietUntil) return;
    this.quietUntil = performance.now() + SETTLE_MS;
    const sized = await Promise.all(
      this.threads().map(async (thread) => ({ thread, size: await sizeOf(thread) })),
    );
    sized.toSorted((a, b) => b.size - a.size)[0]?.thread.end();
    // What was freed may stay with the process; it is no reason to end the next.
    setTimeout(
      () => (this.ceiling = this.ceilingFrom(process.memoryUsage.rss())),
      SETTLE_MS - LOOK_EVERY_MS,
    ).unref();
  }

  private ceilingFrom(resident: number): number {
    return resident + (this.allowedMb + OWN_MB) * MB;
  }
}

function sizeOf(thread: WatchedThread): Promise<number> {
  const silent = new Promise<number>((resolve) =>
    setTimeout(() => resolve(Infinity), ANSWER_WITHIN_MS).unref(),
  );
  return Promise.race([thread.size().catch(() => 0), silent]);
}
