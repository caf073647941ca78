import { spawn } from 'node:child_process';

/**
 * Runs the fault suite. `--quick` takes scenarios once and shortened, and leaves out those that cannot be; anything else goes to Jest, such as the name of a
 * file. FAULT_SEED repeats a run, FAULT_RUNS says how often random scenarios are repeated.
 */
const args = process.argv.slice(2);
const quick = args.includes('--quick');
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const suite = spawn(
  process.execPath,
  [
    ...jest,
    '--config',
    'test/faults/jest.config.js',
    '--runInBand',
    '--verbose',
    ...args.filter((arg) => arg !== '--quick'),
  ],
  {
    stdio: 'inherit',
    env: {
      FAULT_SEED: String(Math.floor(Math.random() * 1_000_000)),
      ...process.env,
      ...(quick && { FAULT_QUICK: '1' }),
    },
  },
);
suite.once('close', (code) => (process.exitCode = code ?? 1));
