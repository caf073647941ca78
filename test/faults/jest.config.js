import base from '../../jest.config.js';

/** One at a time: each scenario has a PostgreSQL of its own and wants the machine for itself. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['**/*.fault-spec.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: 900_000,
  maxWorkers: 1,
};
