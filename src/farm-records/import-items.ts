import { isUtf8 } from 'node:buffer';
import { type FieldProblem, isObject, parseLeniently } from './resources/index.js';

/** Where an item stands in what was sent: a line of NDJSON or CSV (from 1), or an index of a JSON list (from 0). */
export type ItemPlace = { readonly line: number } | { readonly index: number };

/** One item to import: its JSON, or why it cannot even be looked at. */
export type ImportItem = { readonly place: ItemPlace } & (
  | {
      readonly text: string;
      /** Tells what is wrong with the JSON in the words of what was sent, where that was something else. */
      readonly inItsWords?: (problems: readonly FieldProblem[]) => readonly FieldProblem[];
    }
  | { readonly problems: readonly FieldProblem[] }
);

/** Longer lines are refused one by one, so that memory stays flat. */
const LINE_LIMIT = 1024 * 1024;
const NEWLINE = 0x0a;

export class MalformedJson extends Error {}

/** The lines of NDJSON, in batches as the bytes arrive. Blank lines are none; a line too long is an item that cannot be read. */
export async function* readNdjson(bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly ImportItem[]> {
  const lines = new Lines();
  for await (const chunk of bytes) yield lines.take(chunk);
  yield lines.end();
}

/** The items of a JSON body: one resource, a list of them, or a collection `{member: […]}`. Throws MalformedJson. */
export function readJson(body: Buffer): ImportItem[] {
  const parsed = parseLeniently(decode(body)) ?? malformed();
  const members =
    isObject(parsed.value) && Array.isArray(parsed.value.member)
      ? (parsed.value.member as unknown[])
      : undefined;
  const items = members ?? (Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [parsed.value]);
  return items.map((item, index) => ({ place: { index }, ...textOf(item) }));
}

class Lines {
  private number = 0;
  private readonly parts: Buffer[] = [];
  private length = 0;

  take(chunk: Buffer): ImportItem[] {
    const items: ImportItem[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      this.finish(items);
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    return items;
  }

  end(): ImportItem[] {
    const items: ImportItem[] = [];
    if (this.length > 0) this.finish(items);
    return items;
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.length > LINE_LIMIT) this.parts.length = 0;
    else if (part.length > 0) this.parts.push(part);
  }

  private finish(items: ImportItem[]): void {
    const place = { line: ++this.number };
    if (this.length > LINE_LIMIT)
      items.push({ place, ...unreadable(`The line is longer than ${LINE_LIMIT} bytes.`) });
    else {
      const line = this.parts.length === 1 ? (this.parts[0] ?? Buffer.alloc(0)) : Buffer.concat(this.parts);
      const text = line.toString('utf8').trim();
      if (text.includes('\ufffd') && !isUtf8(line))
        items.push({ place, ...unreadable('The line is not UTF-8.') });
      else if (text !== '') items.push({ place, text });
    }
    this.parts.length = 0;
    this.length = 0;
  }
}

function textOf(item: unknown): { text: string } | { problems: FieldProblem[] } {
  try {
    return { text: JSON.stringify(item) };
  } catch {
    return unreadable('It is nested too deep.');
  }
}

function unreadable(detail: string): { problems: FieldProblem[] } {
  return { problems: [{ pointer: '', detail }] };
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return malformed();
  }
}

function malformed(): never {
  throw new MalformedJson('The body cannot be read as JSON in UTF-8.');
}
