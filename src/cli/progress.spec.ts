import { expect, it } from '@jest/globals';
import { Progress } from './progress.js';

function terminal(isTTY: boolean): { written: string; isTTY: boolean; write(text: string): boolean } {
  return {
    written: '',
    isTTY,
    write(text) {
      this.written += text;
      return true;
    },
  };
}

it('draws a bar on a terminal and takes it away at the end', () => {
  const screen = terminal(true);
  const progress = new Progress('import', screen);
  progress.show('1,200 records', 0.5);
  expect(screen.written).toContain('import [###############...............] 50% 1,200 records');
  progress.end();
  expect(screen.written.endsWith('\r\x1b[K')).toBe(true);
});

it('says how far it has come when the end is not known', () => {
  const screen = terminal(true);
  new Progress('report', screen).show('processing for 3 s');
  expect(screen.written).toContain('report processing for 3 s');
});

it('is silent in a log file', () => {
  const file = terminal(false);
  const progress = new Progress('import', file);
  progress.show('1,200 records', 0.5);
  progress.end();
  expect(file.written).toBe('');
});
