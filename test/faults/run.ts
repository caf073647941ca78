import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the fault suite. `--quick` takes scenarios once and shortened, two files at a time since most of them wait for a lost heartbeat, and
 * leaves out those that cannot be; anything else goes to Jest, such as the name of a file. FAULT_SEED repeats a run, FAULT_RUNS says how often random scenarios are repeated.
 */
const args = process.argv.slice(2);
const quick = args.includes('--quick');
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
// Servers of other users' work in it. What a scenario leaves goes with it.
const folder = mkdtempSync(join(tmpdir(), 'muster-faults-'));
chmodSync(folder, 0o755);
const suite = spawn(
  process.execPath,
  [
    ...jest,
    '--config',
    'test/faults/jest.config.js',
    quick ? '--maxWorkers=2' : '--runInBand',
    '--verbose',
    ...args.filter((arg) => arg !== '--quick'),
  ],
  {
    stdio: 'inherit',
    env: {
      FAULT_SEED: String(Math.floor(Math.random() * 1_000_000)),
      ...process.env,
      TMPDIR: folder,
      // Hundreds of processes of the same code start; each module is compiled once.
      MUSTER_TEST_COMPILED: join(folder, 'compiled'),
      ...(quick && { FAULT_QUICK: '1' }),
    },
  },
);
process.once('SIGINT', () => undefined); // Which the suite gets too.
suite.once('close', (code) => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exitCode = code ?? 1;
});
