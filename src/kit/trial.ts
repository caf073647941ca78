import type { ClientBase } from 'pg';
import { openFarmRecords } from '../farm-records/open-farm-records.js';
import { FORMATS, type ReportHeading } from '../generators/formats/index.js';
import type { GenerationPeriod, Row } from '../generators/generator.js';
import { declarationOf, type GeneratorClass } from '../generators/report-generator.js';
import { writeReport } from '../generators/report-writer.js';
import { rowFaults } from './row-faults.js';

/** Farm-local days YYYY-MM-DD, both inclusive. */
export interface Days {
  readonly start: string;
  readonly end: string;
}

/** All of a report, as the service would deliver it. */
export interface MadeReport {
  readonly rows: readonly Row[];
  readonly warnings: readonly string[];
  /** The content by format; XLSX in base64. */
  readonly files: Readonly<Record<string, string>>;
  /** SHA-256 of the content by format. */
  readonly digests: Readonly<Record<string, string>>;
  readonly controlTotals: Readonly<Record<string, string>>;
}

export interface BegunReport {
  readonly period: GenerationPeriod;
  readonly warnings: ReadonlySet<string>;
  readonly rows: AsyncIterable<readonly Row[]>;
}

/** Begins a report on one snapshot of a farm, which is open until the caller ends the client's transaction. */
export async function beginReport(
  client: ClientBase,
  generator: GeneratorClass,
  farmId: string,
  { start, end }: Days,
): Promise<BegunReport> {
  const records = await openFarmRecords(client, farmId);
  const warnings = new Set<string>();
  const period = { start, end, timeZone: records.farm.timeZone };
  const rows = new generator().rows({ farmId, period, records, warn: (text) => void warnings.add(text) });
  return { period, warnings, rows };
}

/** The rows are not what the columns declare; the message says where. */
class RowsUnlikeColumns extends Error {}

/**
 * Makes a report with the service's own reader, writer and formats, and keeps all of it. Throws RowsUnlikeColumns, and what the
 * service would refuse.
 */
export async function makeReport(
  client: ClientBase,
  generator: GeneratorClass,
  farmId: string,
  days: Days,
): Promise<MadeReport> {
  const declaration = declarationOf(generator);
  if (!declaration) throw new Error(`${generator.name} is no report type: it has no @ReportGenerator`);
  try {
    const { period, warnings, rows: batches } = await beginReport(client, generator, farmId, days);
    const rows = (await Array.fromAsync(batches)).flat();
    const faults = rowFaults(rows, declaration.columns);
    if (faults.length > 0) throw new RowsUnlikeColumns(faults.join('; '));
    const written = await write({ ...declaration, farm: farmId, period }, rows, warnings);
    return { rows, warnings: [...warnings], ...written };
  } finally {
    await client.query('ROLLBACK');
  }
}

async function write(
  heading: ReportHeading,
  rows: readonly Row[],
  warnings: Iterable<string>,
): Promise<Pick<MadeReport, 'files' | 'digests' | 'controlTotals'>> {
  const pieces = new Map<string, Buffer[]>(FORMATS.map((format) => [format, []]));
  const artifact = {
    create: (format: string) => ({
      write: async (bytes: Buffer) => void pieces.get(format)?.push(Buffer.from(bytes)),
      close: async () => undefined,
    }),
  };
  const batches = (async function* () {
    yield rows;
  })();
  const { files, controlTotals } = await writeReport(heading, batches, warnings, artifact, FORMATS);
  const text = (format: string) => (format === 'xlsx' ? 'base64' : 'utf8');
  return {
    controlTotals,
    digests: Object.fromEntries(files.map(({ format, sha256 }) => [format, sha256])),
    files: Object.fromEntries(
      [...pieces].map(([format, parts]) => [format, Buffer.concat(parts).toString(text(format))]),
    ),
  };
}
