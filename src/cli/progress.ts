import type { WriteStream } from 'node:tty';

const WIDTH = 30;
const REDRAW_MILLISECONDS = 100;

/** Long work shown on standard error while that is a terminal; otherwise silent. */
export class Progress {
  private drawn = 0;

  constructor(
    private readonly label: string,
    private readonly terminal: Pick<WriteStream, 'isTTY' | 'write'> = process.stderr,
  ) {}

  /** `fraction` from 0 to 1 when it is known, `detail` such as "1,200 records". */
  show(detail: string, fraction?: number): void {
    if (!this.terminal.isTTY || Date.now() - this.drawn < REDRAW_MILLISECONDS) return;
    this.drawn = Date.now();
    this.terminal.write(
      `\r\x1b[K${this.label} ${fraction === undefined ? '' : `${bar(fraction)} `}${detail}`,
    );
  }

  /** Takes the bar away again. */
  end(): void {
    if (this.terminal.isTTY && this.drawn > 0) this.terminal.write('\r\x1b[K');
  }
}

function bar(fraction: number): string {
  const done = Math.min(Math.max(fraction, 0), 1);
  return `[${'#'.repeat(Math.round(done * WIDTH)).padEnd(WIDTH, '.')}] ${Math.floor(done * 100)}%`;
}
