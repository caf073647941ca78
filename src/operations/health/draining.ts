import { Injectable } from '@nestjs/common';

/** How far the process is on its way out: told to stop, then refusing new work. */
@Injectable()
export class Draining {
  private stage: 'serving' | 'told' | 'refusing' = 'serving';

  private readonly beginning = new AbortController();

  /** Aborted as soon as the process is told to stop: whoever waits is answered then. */
  get signal(): AbortSignal {
    return this.beginning.signal;
  }

  get begun(): boolean {
    return this.stage !== 'serving';
  }

  get refusing(): boolean {
    return this.stage === 'refusing';
  }

  /** From here on the process is not ready, so that no more is sent to it. */
  begin(): void {
    if (this.stage === 'serving') this.stage = 'told';
    this.beginning.abort();
  }

  /** From here on what arrives all the same is refused. */
  refuse(): void {
    this.stage = 'refusing';
  }
}
