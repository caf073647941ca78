import { inflateRawSync } from 'node:zlib';

/** A cell as it stands in a workbook: a text, a number, a day, a time of day, or nothing. */
export type SheetCell = string | number | null | { date: string } | { time: string };

/** The sheets of an XLSX file in their order, as rows of cells. Independent of the code that writes them. */
export function readSheets(file: Buffer): SheetCell[][][] {
  const parts = unzip(file);
  const targets = new Map(
    [...part(parts, 'xl/_rels/workbook.xml.rels').matchAll(/Id="([^"]+)"[^>]*Target="([^"]+)"/g)].map(
      ([, id, target]) => [id, target] as const,
    ),
  );
  return [...part(parts, 'xl/workbook.xml').matchAll(/<sheet [^>]*r:id="([^"]+)"/g)].map(([, id]) =>
    readSheet(part(parts, `xl/${targets.get(id as string)}`)),
  );
}

function unzip(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const parts = new Map<string, string>();
  let at = file.readUInt32LE(end + 16);
  for (let count = file.readUInt16LE(end + 10); count > 0; count--) {
    const [packed, nameLength] = [file.readUInt32LE(at + 20), file.readUInt16LE(at + 28)];
    const local = file.readUInt32LE(at + 42);
    const data = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    const content = inflateRawSync(file.subarray(data, data + packed));
    if (content.length !== file.readUInt32LE(at + 24)) throw new Error(`${name} is not as long as it says`);
    parts.set(name, content.toString('utf8'));
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
}

function part(parts: ReadonlyMap<string, string>, name: string): string {
  const found = parts.get(name);
  if (found === undefined) throw new Error(`the workbook has no ${name}`);
  return found;
}

function readSheet(xml: string): SheetCell[][] {
  const rows = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) => {
    const cells: SheetCell[] = [];
    for (const [, letters, attributes, content] of (row as string).matchAll(
      /<c r="([A-Z]+)\d+"([^>]*)>(.*?)<\/c>/gs,
    )) {
      cells[placeOf(letters as string)] = readCell(attributes as string, content as string);
    }
    return cells;
  });
  const width = rows[0]?.length ?? 0;
  return rows.map((row) =>
    Array.from({ length: Math.max(row.length, row.length === 0 ? 0 : width) }, (_, at) => row[at] ?? null),
  );
}

function placeOf(letters: string): number {
  return Array.from(letters).reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function readCell(attributes: string, content: string): SheetCell {
  if (attributes.includes('inlineStr')) return unescape(/<t[^>]*>(.*)<\/t>/s.exec(content)?.[1] ?? '');
  const number = Number(/<v>(.*)<\/v>/.exec(content)?.[1]);
  if (attributes.includes('s="2"'))
    return { date: new Date((number - 25_569) * 86_400_000).toISOString().slice(0, 10) };
  if (attributes.includes('s="3"'))
    return { time: new Date(Math.round(number * 86_400) * 1000).toISOString().slice(11, 19) };
  return number;
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/_x([0-9A-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
