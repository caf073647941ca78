import type { TestFarms } from './test-farms.js';
import { type ToldFarm, ToldFarms } from './told-farms.js';
import type { MadeReport } from './trial.js';
import type { Described, Measured } from './trial-tasks.js';
import { Trials } from './trials.js';

/** The farms of the suite and the thread and process that report types are tried in, shared by all that are. */
export class ConformanceGround {
  readonly told: ToldFarms;
  private readonly made = new Map<string, Promise<MadeReport>>();
  private thread: Trials | undefined;
  private process: Trials | undefined;

  constructor(farms: TestFarms) {
    this.databaseUrl = farms.databaseUrl;
    this.told = new ToldFarms(farms);
  }

  readonly databaseUrl: string;

  /** The report of a farm, made once. */
  make(described: Described, farm: ToldFarm): Promise<MadeReport> {
    const { moduleUrl, exportName } = described.source;
    const key = [moduleUrl, exportName, farm.id, farm.days.start].join(' ');
    const made = this.made.get(key) ?? this.makeAgain(described, farm);
    this.made.set(key, made);
    return made;
  }

  makeAgain(described: Described, farm: ToldFarm): Promise<MadeReport> {
    return this.here().ask('make', this.taskOf(described, farm));
  }

  makeElsewhere(described: Described, farm: ToldFarm): Promise<MadeReport> {
    this.process ??= Trials.inProcess();
    return this.process.ask('make', this.taskOf(described, farm));
  }

  measure(described: Described, farm: ToldFarm): Promise<Measured> {
    return this.here().ask('measure', this.taskOf(described, farm));
  }

  describe(moduleUrl: string): Promise<readonly Described[]> {
    return this.here().ask('describe', { moduleUrl });
  }

  async close(): Promise<void> {
    await Promise.all([this.thread?.end(), this.process?.end()]);
  }

  private here(): Trials {
    this.thread ??= Trials.inThread();
    return this.thread;
  }

  private taskOf({ source }: Described, { id, days }: ToldFarm) {
    return { databaseUrl: this.databaseUrl, farmId: id, days, source };
  }
}
