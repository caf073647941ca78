import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Command, Option } from 'commander';
import {
  type Farm,
  FarmChanged,
  FindFarm,
  type ImportItem,
  ImportRecords,
  type ImportSummary,
  readCsv,
  readJson,
  readNdjson,
  UnknownFarm,
} from '../farm-records/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { NoSuchFarm } from './farm.command.js';
import { Progress } from './progress.js';

/** A JSON document is held in memory; NDJSON and CSV are streamed. */
const JSON_BYTES = 64 * 1024 * 1024;
const ERRORS_SHOWN = 20;

const FORMATS = ['json', 'ndjson', 'csv'] as const;
type Format = (typeof FORMATS)[number];

interface ImportOptions extends CommonOptions {
  readonly format?: Format;
}

interface Source {
  readonly bytes: Readable;
  /** Undefined for standard input. */
  readonly size?: number;
  readonly format: Format;
}

/** Exits 1 when a record was rejected; the others are imported all the same. */
export function importCommand(program: Command): void {
  addCommand(program, 'import', 'import records into a farm')
    .argument('<farm>', 'id of the farm')
    .argument('<file>', "JSON when it ends in .json, CSV in .csv, else NDJSON; '-' for standard input")
    .addOption(new Option('--format <format>', 'whatever the name of the file').choices(FORMATS))
    .action(importFile);
}

async function importFile(farm: string, file: string, options: ImportOptions): Promise<void> {
  const source = await openSource(file, options.format);
  const summary = await withApplication((app) => run(app, farm, source));
  answer(options, summary, inWords(summary));
  const { rejected } = summary;
  const total = rejected + summary.accepted + summary.replaced + summary.unchanged;
  if (rejected > 0)
    throw new Error(`${rejected} of ${total} records ${rejected === 1 ? 'was' : 'were'} rejected`);
}

async function openSource(file: string, asked: Source['format'] | undefined): Promise<Source> {
  if (file === '-') return { bytes: process.stdin, format: asked ?? 'ndjson' };
  const { size } = await stat(file);
  const format = asked ?? FORMATS.find((known) => file.toLowerCase().endsWith(`.${known}`)) ?? 'ndjson';
  if (format === 'json' && size > JSON_BYTES)
    throw new WrongUsage(`${file} is larger than ${JSON_BYTES} bytes: import it as NDJSON`);
  return { bytes: createReadStream(file), size, format };
}

async function run(app: INestApplicationContext, farmId: string, source: Source): Promise<ImportSummary> {
  const progress = new Progress('import');
  try {
    const farm = await app.get(QueryBus).execute(new FindFarm(farmId));
    if (!farm) throw new NoSuchFarm(farmId);
    const items = await itemsOf(source, farm, progress);
    return await app.get(CommandBus).execute(new ImportRecords(farmId, items));
  } catch (error) {
    if (error instanceof UnknownFarm) throw new NoSuchFarm(farmId);
    if (error instanceof FarmChanged)
      throw new Error('the time zone of the farm changed during the import: import the file again', {
        cause: error,
      });
    throw error;
  } finally {
    progress.end();
  }
}

async function itemsOf(
  { bytes, size, format }: Source,
  farm: Farm,
  progress: Progress,
): Promise<AsyncIterable<readonly ImportItem[]> | Iterable<readonly ImportItem[]>> {
  if (format === 'json') return [readJson(await buffer(bytes))];
  let read = 0;
  const counted = measured(bytes, (length) => (read += length));
  const items = format === 'csv' ? readCsv(counted, farm) : readNdjson(counted);
  return shown(items, (records) => progress.show(`${records} records`, size && read / size));
}

async function* shown(
  source: AsyncIterable<readonly ImportItem[]>,
  show: (records: number) => void,
): AsyncGenerator<readonly ImportItem[]> {
  let records = 0;
  for await (const items of source) {
    records += items.length;
    show(records);
    yield items;
  }
}

async function* measured(bytes: Readable, note: (length: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    note(chunk.length);
    yield chunk;
  }
}

function inWords({ accepted, replaced, unchanged, rejected, errors }: ImportSummary): string {
  const counts = `${accepted} accepted, ${replaced} replaced, ${unchanged} unchanged, ${rejected} rejected`;
  const shown = errors.slice(0, ERRORS_SHOWN).map((error) => {
    const place = 'line' in error ? `line ${error.line}` : `item ${error.index}`;
    return `  ${place}${error.pointer && `, ${error.pointer}`}: ${error.detail}`;
  });
  return [counts, ...shown, ...(errors.length > ERRORS_SHOWN ? ['  …'] : [])].join('\n');
}
