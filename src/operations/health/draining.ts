import { Injectable } from '@nestjs/common';

/** How far the process is on its way out: told to stop, then refusing new work. */
@Injectable()
export class Draining {
  private stage: 'serving' | 'told' | 'refusing' = 'serving';

  get begun(): boolean {
    return this.stage !== 'serving';
  }

  get refusing(): boolean {
    return this.stage === 'refusing';
  }

  /** From here on the process is not ready, so that no more is sent to it. */
  begin(): void {
    if (this.stage === 'serving') this.stage = 'told';
  }

  /** From here on what arrives all the same is refused. */
  refuse(): void {
    this.stage = 'refusing';
  }
}
