import { type Command, CommanderError } from 'commander';
import { NotAcceptable } from '../auth/index.js';
import { InvalidConfiguration } from '../config.js';

/** Wrong usage that only the command itself can see; the message says what to write instead. */
export class WrongUsage extends Error {}

export interface CommonOptions {
  /** The answer is one JSON document on standard output. */
  readonly json?: true;
}

/** A signal to stop came before the command was done. */
export class Stopped extends Error {
  constructor(signal: NodeJS.Signals) {
    super(`stopped (${signal})`);
  }
}

const WRONG_USAGE = [WrongUsage, InvalidConfiguration, NotAcceptable];

/** A command with the option that all commands have. */
export function addCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'answer in JSON on standard output');
}

/** Several values may be given as one, with spaces or commas between them. */
export function listed(values: string): string[] {
  return values.split(/[\s,]+/).filter((value) => value !== '');
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
    if (readerLeft && isClosedPipe(error)) return 0; // `| head` has heard enough.
    process.stderr.write(
      `${process.stderr.isTTY && error instanceof Stopped ? '\n' : ''}muster: ${describe(error)}\n`,
    );
    return WRONG_USAGE.some((kind) => error instanceof kind) ? 2 : 1;
  }
}

/** Told apart from another broken pipe, such as a connection to the database. */
let readerLeft = false;

/** Whoever reads the answer may leave early; the work goes on. Any other failure to write is one of the command. */
export function bearClosedPipes(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error) => {
    if (isClosedPipe(error)) {
      readerLeft = true;
      return;
    }
    process.stderr.write(`muster: ${describe(error)}\n`);
    process.exitCode = 1;
  });
}

function isClosedPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

/** An AggregateError, as of a refused connection, says nothing itself. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
