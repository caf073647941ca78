import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Answers, ReportTask, Task, Told } from './trial-tasks.js';

const WORKER = new URL('./trial.worker.js', import.meta.url);

type Asked<Do extends Task['do']> = Do extends 'describe'
  ? Pick<Extract<Task, { do: 'describe' }>, 'moduleUrl'>
  : Omit<ReportTask, 'id'>;

/** The report type threw, or could not be loaded; the message is its own. */
class TrialFailed extends Error {}

/** What a thread and a process have in common. */
interface Place {
  post(task: Task): void;
  end(): Promise<unknown>;
  /** Whether it keeps this process from ending. */
  hold(held: boolean): void;
}

/** A thread, or a process in another zone at another time, in which report types are tried out. */
export class Trials {
  private readonly waiting = new Map<number, (told: Told) => void>();
  private asked = 0;

  private constructor(
    worker: Worker | ChildProcess,
    private readonly place: Place,
  ) {
    (worker as Worker).on('message', (told: Told) => this.waiting.get(told.id)?.(told));
    // One that ends while it is asked has not answered: out of memory, or the report type ended it.
    (worker as Worker).on('exit', () => this.gone());
    worker.on('error', () => this.gone());
    place.hold(false);
  }

  static inThread(): Trials {
    const worker = new Worker(WORKER);
    return new Trials(worker, {
      post: (task) => worker.postMessage(task),
      end: () => worker.terminate(),
      hold: (held) => (held ? worker.ref() : worker.unref()),
    });
  }

  static inProcess(): Trials {
    const child = fork(WORKER, { env: { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' }, execArgv: [] });
    const ended = once(child, 'exit');
    return new Trials(child, {
      post: (task) => child.send(task),
      end: () => {
        child.kill('SIGKILL');
        return ended;
      },
      hold: (held) => [child, child.channel].forEach((one) => (held ? one?.ref() : one?.unref())),
    });
  }

  end(): Promise<unknown> {
    return this.place.end();
  }

  /** `reached` is told where a `run` is. Throws TrialFailed. */
  ask<Do extends Task['do']>(
    what: Do,
    task: Asked<Do>,
    reached: (where: 'begin' | 'rows') => void = () => undefined,
  ): Promise<Answers[Do]> {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, (told) => {
        if ('reached' in told) {
          reached(told.reached);
          return;
        }
        this.waiting.delete(id);
        this.place.hold(this.waiting.size > 0);
        if ('error' in told) reject(new TrialFailed(told.error));
        else resolve(told.result as Answers[Do]);
      });
      this.place.hold(true);
      this.place.post({ ...task, id, do: what } as unknown as Task);
    });
  }

  private gone(): void {
    for (const [id, tell] of this.waiting) tell({ id, error: 'its thread ended before the report was made' });
  }
}
