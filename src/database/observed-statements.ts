import type { Client } from 'pg';

/** A statement on its way to the database; `text` has places for values, never values. */
interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Told when a statement is sent; what it answers is called when the statement has ended. */
export type StatementObserver = (statement: Statement) => ((error?: Error) => void) | undefined;

let observer: StatementObserver | undefined;

/** Has every statement of connections that are opened from here on observed. */
export function observeStatements(observe: StatementObserver): void {
  observer = observe;
}

export function isObserved(): boolean {
  return observer !== undefined;
}

/** Lets the observer, if there is one, see what `client` is asked; without one the client stays as it is. */
export function observed<Observed extends Client>(client: Observed): Observed {
  if (!observer) return client;
  const ask = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const ended = observer?.(describe(args[0]));
    if (!ended) return ask(...args);
    const callback = args.at(-1);
    if (typeof callback === 'function')
      return ask(...args.slice(0, -1), (error: Error | null, result: unknown) => {
        ended(error ?? undefined);
        (callback as (error: Error | null, result: unknown) => void)(error, result);
      });
    const answer = ask(...args);
    if (answer instanceof Promise) answer.then(() => ended(), ended);
    else ended();
    return answer;
  }) as Client['query'];
  return client;
}

function describe(asked: unknown): Statement {
  if (typeof asked === 'string') return { text: asked };
  const { name, text = '' } = asked as { name?: string; text?: string };
  return { text, ...(name !== undefined && { name }) };
}
