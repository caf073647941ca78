import { readdir } from 'node:fs/promises';

/** One figure beside its yardstick, both of the same run. */
export interface Measurement {
  readonly what: string;
  readonly ours: number;
  /** What the yardstick reached, in the same unit; absent where the bar is a figure of its own. */
  readonly yardstick?: number;
  readonly unit: string;
  readonly ratio?: number;
  /** What to reach, in words. */
  readonly bar: string;
  readonly reached: boolean;
}

/** What a file `<thing>.bench.ts` exports. */
interface Bench {
  run(): Promise<Measurement[]>;
}

/** Runs the benches whose names contain one of the arguments, or all; one after another, for they share the machine. */
async function main(wanted: string[]): Promise<void> {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.ts')).sort();
  const chosen = files.filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
  if (chosen.length === 0) throw new Error(`no such bench; there are: ${files.join(', ')}`);
  const measured: Measurement[] = [];
  for (const file of chosen) {
    process.stderr.write(`${file} …\n`);
    const bench = (await import(`./${file}`)) as Bench;
    measured.push(...(await bench.run()));
  }
  console.table(measured.map(line));
  process.exitCode = measured.every(({ reached }) => reached) ? 0 : 1;
}

function line({ what, ours, yardstick, unit, ratio, bar, reached }: Measurement): Record<string, string> {
  return {
    what,
    ours: figure(ours),
    yardstick: yardstick === undefined ? '' : figure(yardstick),
    unit,
    ratio: ratio?.toFixed(2) ?? '',
    bar,
    reached: reached ? 'yes' : 'NO',
  };
}

function figure(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

if (import.meta.main) await main(process.argv.slice(2));
