import base from '../../jest.config.js';

/** Not in the quick run, unless it is asked for by name: nothing about them is quick. */
const LONG = ['backup.fault-spec', 'disk.fault-spec', 'endurance.fault-spec'];
const quick =
  process.env.FAULT_QUICK === '1' && !LONG.some((name) => process.argv.some((arg) => name.startsWith(arg)));

/** Each file has a PostgreSQL and processes of its own. In the whole run one at a time, that figures mean something. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['**/*.fault-spec.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
  testPathIgnorePatterns: ['/node_modules/', ...(quick ? LONG : [])],
  testTimeout: 900_000,
};
