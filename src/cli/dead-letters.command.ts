import type { Command } from 'commander';
import { type DeadLetter, Subscriptions } from '../event-store/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions } from './command.js';

const SHOWN = 100;
const AT_ONCE = 1_000;

/** What followed from events and could not be done, for an operator who has mended the cause. */
export function deadLettersCommand(program: Command): void {
  addCommand(program, 'dead-letters', `show the oldest ${SHOWN} events that subscriptions gave up`)
    .option('--replay', 'have each handled once more; what fails again stays')
    .action((options: CommonOptions & { replay?: true }) =>
      options.replay ? replay(options) : list(options),
    );
}

async function list(options: CommonOptions): Promise<void> {
  const letters = await withApplication((app) => app.get(Subscriptions).deadLetters(SHOWN));
  const words = letters.map((letter) => `${describe(letter)}: ${letter.error}`).join('\n');
  answer(options, { data: letters.map(asJson) }, words || 'None.');
}

/** Exit code 1 when one failed again. */
async function replay(options: CommonOptions): Promise<void> {
  const { handled, failed } = await withApplication((app) => replayAll(app.get(Subscriptions)));
  const words = [
    `${handled} handled, ${failed.size} failed again.`,
    ...failed.values().map(({ letter, error }) => `${describe(letter)}: ${error}`),
  ];
  const again = [...failed.values()].map(({ letter, error }) => ({ ...asJson(letter), error }));
  answer(options, { handled, failed: again }, words.join('\n'));
  if (failed.size > 0) process.exitCode = 1;
}

interface Failed {
  readonly letter: DeadLetter;
  readonly error: string;
}

async function replayAll(
  subscriptions: Subscriptions,
): Promise<{ handled: number; failed: Map<string, Failed> }> {
  let handled = 0;
  const failed = new Map<string, Failed>();
  for (;;) {
    const letters = await subscriptions.deadLetters(failed.size + AT_ONCE);
    const untried = letters.filter((letter) => !failed.has(keyOf(letter)));
    if (untried.length === 0) return { handled, failed };
    for (const letter of untried) {
      try {
        if (await subscriptions.replay(letter)) handled++;
      } catch (error) {
        failed.set(keyOf(letter), { letter, error: error instanceof Error ? error.message : String(error) });
      }
    }
  }
}

function keyOf({ subscription, eventId }: DeadLetter): string {
  return `${subscription} ${eventId}`;
}

function describe({ subscription, type, streamId, attempts, parkedAt }: DeadLetter): string {
  return `${subscription}  ${type} of ${streamId}, given up ${parkedAt.toISOString()} after ${attempts} tries`;
}

function asJson({ position, ...letter }: DeadLetter): object {
  return { ...letter, position: Number(position) };
}
