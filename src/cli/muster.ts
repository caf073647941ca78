#!/usr/bin/env node
import 'reflect-metadata';
import { Command } from 'commander';
import { apiKeyCommand } from './api-key.command.js';
import { runCommand } from './command.js';
import { migrateCommand } from './migrate.command.js';
import { serveCommand } from './serve.command.js';

const program = new Command('muster')
  .description('Livestock reports about farms.')
  .addHelpText(
    'after',
    '\nSettings come from the environment; README.md lists them. Without DATABASE_URL an embedded PostgreSQL is used.',
  );

for (const register of [serveCommand, migrateCommand, apiKeyCommand]) register(program);

process.exitCode = await runCommand(program, process.argv);
