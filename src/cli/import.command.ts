import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CommandBus } from '@nestjs/cqrs';
import { type Command, Option } from 'commander';
import {
  FarmChanged,
  type ImportItem,
  ImportRecords,
  type ImportSummary,
  readJson,
  readNdjson,
  UnknownFarm,
} from '../farm-records/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { NoSuchFarm } from './farm.command.js';
import { Progress } from './progress.js';

/** A JSON document is held in memory; NDJSON is streamed. */
const JSON_BYTES = 64 * 1024 * 1024;
const ERRORS_SHOWN = 20;

interface ImportOptions extends CommonOptions {
  readonly format?: 'json' | 'ndjson';
}

interface Source {
  readonly bytes: Readable;
  /** Undefined for standard input. */
  readonly size?: number;
  readonly format: 'json' | 'ndjson';
}

/** Exits 1 when a record was rejected; the others are imported all the same. */
export function importCommand(program: Command): void {
  addCommand(program, 'import', 'import records into a farm')
    .argument('<farm>', 'id of the farm')
    .argument('<file>', "JSON when it ends in .json, else NDJSON; '-' for standard input")
    .addOption(new Option('--format <format>', 'whatever the name of the file').choices(['json', 'ndjson']))
    .action(importFile);
}

async function importFile(farm: string, file: string, options: ImportOptions): Promise<void> {
  const source = await openSource(file, options.format);
  const summary = await withApplication((app) => run(app.get(CommandBus), farm, source));
  answer(options, summary, inWords(summary));
  const { rejected } = summary;
  const total = rejected + summary.accepted + summary.replaced + summary.unchanged;
  if (rejected > 0)
    throw new Error(`${rejected} of ${total} records ${rejected === 1 ? 'was' : 'were'} rejected`);
}

async function openSource(file: string, asked: Source['format'] | undefined): Promise<Source> {
  if (file === '-') return { bytes: process.stdin, format: asked ?? 'ndjson' };
  const { size } = await stat(file);
  const format = asked ?? (file.endsWith('.json') ? 'json' : 'ndjson');
  if (format === 'json' && size > JSON_BYTES)
    throw new WrongUsage(`${file} is larger than ${JSON_BYTES} bytes: import it as NDJSON`);
  return { bytes: createReadStream(file), size, format };
}

async function run(commands: CommandBus, farm: string, source: Source): Promise<ImportSummary> {
  const progress = new Progress('import');
  try {
    return await commands.execute(new ImportRecords(farm, await itemsOf(source, progress)));
  } catch (error) {
    if (error instanceof UnknownFarm) throw new NoSuchFarm(farm);
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
  progress: Progress,
): Promise<AsyncIterable<readonly ImportItem[]> | Iterable<readonly ImportItem[]>> {
  return format === 'json' ? [readJson(await buffer(bytes))] : counted(bytes, size, progress);
}

async function* counted(
  bytes: Readable,
  size: number | undefined,
  progress: Progress,
): AsyncGenerator<readonly ImportItem[]> {
  let records = 0;
  let read = 0;
  for await (const items of readNdjson(measured(bytes, (length) => (read += length)))) {
    records += items.length;
    progress.show(`${records} records`, size && read / size);
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
