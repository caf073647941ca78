import type { HintListener } from './hint-listener.js';
import type { Subscription } from './subscription.js';

const POLL_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/** Keeps a subscription going: catches up at every hint and every second, and outlives a database that is away. */
export class SubscriptionRun {
  private running: Promise<void> | undefined;
  private stopped = false;
  private awaited = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly subscription: Subscription,
    private readonly hints: HintListener,
    private readonly complain: (error: unknown) => void,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Resolves when the event in hand is handled and none will be begun. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.subscription.stop();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    const unlisten = this.hints.listen(() => this.hear());
    for (let failures = 0, joined = false; !this.stopped;) {
      try {
        this.awaited = false;
        if (!joined) await this.subscription.join();
        joined = true;
        await this.subscription.catchUp();
        failures = 0;
        await this.pause(POLL_MS);
      } catch (error) {
        this.complain(error);
        this.awaited = false;
        await this.pause(Math.min(100 * 2 ** failures++, LONGEST_PAUSE_MS));
      }
    }
    unlisten();
  }

  /** A hint that comes while events are being handled ends the next pause at once. */
  private hear(): void {
    this.awaited = true;
    this.wake();
  }

  private async pause(milliseconds: number): Promise<void> {
    if (this.awaited || this.stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = () => undefined;
  }
}
