import type { GeneratorSource } from '../generators/catalogue.js';
import type { ReportTypeDeclaration } from '../generators/report-generator.js';
import type { Days, MadeReport } from './trial.js';

/** A report type as it was found in a module. */
export interface Described {
  readonly declaration: ReportTypeDeclaration;
  readonly source: GeneratorSource;
  /** What is wrong with the declaration. */
  readonly faults: readonly string[];
}

export interface Measured {
  readonly rows: number;
  readonly largestBatch: number;
  readonly liveBytes: number;
}

export interface ReportTask {
  readonly id: number;
  /** With the rights and settings of the service. */
  readonly databaseUrl: string;
  readonly farmId: string;
  readonly days: Days;
  readonly source: GeneratorSource;
  /** How its connection is called, to find it again. */
  readonly connection?: string;
}

/** What a trial's thread or process is asked to do. */
export type Task =
  | { readonly id: number; readonly do: 'describe'; readonly moduleUrl: string }
  | (ReportTask & { readonly do: 'make' | 'measure' | 'run' });

/** What it says. */
export type Told =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly reached: 'begin' | 'rows' };

/** What each task answers. */
export interface Answers {
  readonly describe: readonly Described[];
  readonly make: MadeReport;
  readonly measure: Measured;
  readonly run: undefined;
}
