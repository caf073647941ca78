import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Answers, ReportTask, Task, Told } from './trial-tasks.js';

const WORKER = new URL('./trial.worker.js', import.meta.url);

type Asked<Do extends Task['do']> = Do extends 'describe'
  ? Pick<Extract<Task, { do: 'describe' }>, 'moduleUrl'>
  : Omit<ReportTask, 'id'>;

/** The report type threw, or could not be loaded; the message is its own. */
export class TrialFailed extends Error {}

/** A thread, or a process in another zone at another time, in which report types are tried out. */
export class Trials {
  private readonly waiting = new Map<number, (told: Told) => void>();
  private asked = 0;

  private constructor(
    private readonly worker: Worker | ChildProcess,
    private readonly post: (task: Task) => void,
    readonly end: () => Promise<unknown>,
  ) {
    (worker as Worker).on('message', (told: Told) => this.waiting.get(told.id)?.(told));
    // One that ends while it is asked has not answered: out of memory, or the report type ended it.
    (worker as Worker).on('exit', () => this.gone());
    worker.on('error', () => this.gone());
  }

  static inThread(): Trials {
    const worker = new Worker(WORKER);
    worker.unref();
    return new Trials(
      worker,
      (task) => worker.postMessage(task),
      () => worker.terminate(),
    );
  }

  static inProcess(): Trials {
    const child = fork(WORKER, { env: { LC_ALL: 'tr_TR.UTF-8' }, execArgv: [] });
    const ended = once(child, 'exit');
    return new Trials(
      child,
      (task) => child.send(task),
      () => {
        child.kill('SIGKILL');
        return ended;
      },
    );
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
        if ('reached' in told) return reached(told.reached);
        this.waiting.delete(id);
        if ('error' in told) reject(new TrialFailed(told.error));
        else resolve(told.result as Answers[Do]);
      });
      this.post({ ...task, id, do: what } as unknown as Task);
    });
  }

  private gone(): void {
    for (const [id, tell] of this.waiting) tell({ id, error: 'its thread ended before the report was made' });
  }
}
