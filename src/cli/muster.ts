#!/usr/bin/env node
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { apiKeyCommand } from './api-key.command.js';
import { auditCommand } from './audit.command.js';
import { clientCommand } from './client.command.js';
import { bearClosedPipes, runCommand } from './command.js';
import { describeCommand } from './describe.command.js';
import { farmCommand } from './farm.command.js';
import { importCommand } from './import.command.js';
import { deadLettersCommand } from './dead-letters.command.js';
import { demoCommand } from './demo.command.js';
import { deprecationsCommand } from './deprecations.command.js';
import { migrateCommand } from './migrate.command.js';
import { rebuildCommand } from './rebuild.command.js';
import { reportCommand } from './report.command.js';
import { reportTypeCommand } from './report-type.command.js';
import { scheduleCommand } from './schedule.command.js';
import { serveCommand } from './serve.command.js';
import { userCommand } from './user.command.js';
import { webhookCommand } from './webhook.command.js';

const about = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(about) as { version: string };

const program = new Command('muster')
  .description('Livestock reports about farms.')
  .version(version, '--version', 'print the version')
  .addHelpText(
    'after',
    '\nSettings come from the environment; README.md lists them. Without DATABASE_URL an embedded PostgreSQL is used.',
  );

for (const register of [
  serveCommand,
  migrateCommand,
  farmCommand,
  importCommand,
  reportCommand,
  reportTypeCommand,
  deprecationsCommand,
  apiKeyCommand,
  userCommand,
  clientCommand,
  describeCommand,
  auditCommand,
  rebuildCommand,
  deadLettersCommand,
  webhookCommand,
  scheduleCommand,
  demoCommand,
])
  register(program);

bearClosedPipes();
const code = await runCommand(program, process.argv);
// What failed half-way through its start may have left something open that would keep the process.
if (code !== 0) process.exit(code);
