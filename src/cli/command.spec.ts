import { expect, it } from '@jest/globals';
import { Command } from 'commander';
import { NotAcceptable, NotPossible } from '../auth/index.js';
import { runCommand, WrongUsage } from './command.js';

it.each([
  ['wrong usage that only the command sees', 2, new WrongUsage('--at is a time of day')],
  ['a command that makes no sense', 2, new NotAcceptable('there is no scope x')],
  ['a command that meets something else', 1, new NotPossible('there is a person already')],
  ['a connection that breaks', 1, Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
])('%s ends with %i', async (_, code, failure) => {
  const program = new Command('muster');
  program.command('fail').action(() => Promise.reject(failure));
  expect(await runCommand(program, ['node', 'muster', 'fail'])).toBe(code);
});
