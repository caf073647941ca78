import { type Command, CommanderError } from 'commander';
import { InvalidConfiguration } from '../config.js';

/** Wrong usage that only the command itself can see; the message says what to write instead. */
export class WrongUsage extends Error {}

export interface CommonOptions {
  /** The answer is one JSON document on standard output. */
  readonly json?: true;
}

/** A command with the option that all commands have. */
export function addCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'answer in JSON on standard output');
}

/** Prints a command's answer: `json` with --json, else `words`. */
export function answer(options: CommonOptions, json: unknown, words: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(json) : words}\n`);
}

/** Runs the command that the arguments name and answers the exit code: 0, 1 (failed) or 2 (wrong usage). */
export async function runCommand(program: Command, argv: string[]): Promise<0 | 1 | 2> {
  for (const command of withDescendants(program)) command.exitOverride();
  try {
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // It has said why.
    process.stderr.write(`muster: ${describe(error)}\n`);
    return error instanceof WrongUsage || error instanceof InvalidConfiguration ? 2 : 1;
  }
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

/** An AggregateError, as of a refused connection, says nothing itself. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
