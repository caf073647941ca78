import { crc32, deflateRawSync, constants } from 'node:zlib';
import type { Utf8Buffer } from './utf8-buffer.js';

const VERSION = 20;
const UTF8_AND_SIZES_FOLLOW = 0x0808;
const DEFLATE = 8;
/** Sheets repeat themselves so much that level 4 takes half as long again to save a few per cent. */
const LEVEL = 2;
/** 1980-01-01, the first day there is in a zip file: an archive carries no clock time of its making. */
const DOS_DATE = 0x0021;
const PACKING = { finishFlush: constants.Z_SYNC_FLUSH, level: LEVEL, chunkSize: 64 * 1024 };
const END_OF_DEFLATE = Buffer.from([0x03, 0x00]);

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  crc: number;
  packed: number;
  size: number;
}

/**
 * Writes a zip archive front to back without knowing sizes ahead. Each piece is deflated by itself up to a byte
 * boundary, so pieces simply follow one another and nothing is held. Below 4 GiB, as Excel demands of its files.
 */
export class ZipWriter {
  private readonly entries: Entry[] = [];
  private offset = 0;
  private open: Entry | undefined;

  begin(name: string, out: Utf8Buffer): void {
    if (this.open) this.end(out);
    this.open = { name: Buffer.from(name), offset: this.offset, crc: 0, packed: 0, size: 0 };
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    writeCommon(header, 4, this.open, false);
    this.append(out, header, this.open.name);
  }

  write(plain: Buffer, out: Utf8Buffer): void {
    const entry = this.open;
    if (!entry) throw new Error('no entry is open');
    const packed = deflateRawSync(plain, PACKING);
    entry.crc = crc32(plain, entry.crc);
    entry.size += plain.length;
    entry.packed += packed.length;
    this.append(out, packed);
  }

  finish(out: Utf8Buffer): void {
    if (this.open) this.end(out);
    const start = this.offset;
    this.append(out, ...this.entries.map(directoryRecord));
    const tail = Buffer.alloc(22);
    tail.writeUInt32LE(0x06054b50, 0);
    tail.writeUInt16LE(this.entries.length, 8);
    tail.writeUInt16LE(this.entries.length, 10);
    tail.writeUInt32LE(this.offset - start, 12);
    tail.writeUInt32LE(start, 16);
    out.append(tail);
  }

  private end(out: Utf8Buffer): void {
    const entry = this.open as Entry;
    this.open = undefined;
    entry.packed += END_OF_DEFLATE.length;
    this.entries.push(entry);
    const descriptor = Buffer.alloc(16);
    descriptor.writeUInt32LE(0x08074b50, 0);
    descriptor.writeUInt32LE(entry.crc, 4);
    descriptor.writeUInt32LE(entry.packed, 8);
    descriptor.writeUInt32LE(entry.size, 12);
    this.append(out, END_OF_DEFLATE, descriptor);
  }

  private append(out: Utf8Buffer, ...parts: readonly Buffer[]): void {
    for (const part of parts) {
      out.append(part);
      this.offset += part.length;
    }
  }
}

function writeCommon(header: Buffer, at: number, entry: Entry, known: boolean): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(UTF8_AND_SIZES_FOLLOW, at + 2);
  header.writeUInt16LE(DEFLATE, at + 4);
  header.writeUInt16LE(0, at + 6);
  header.writeUInt16LE(DOS_DATE, at + 8);
  if (known) {
    header.writeUInt32LE(entry.crc, at + 10);
    header.writeUInt32LE(entry.packed, at + 14);
    header.writeUInt32LE(entry.size, at + 18);
  }
  header.writeUInt16LE(entry.name.length, at + 22);
}

function directoryRecord(entry: Entry): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(VERSION, 4);
  writeCommon(record, 6, entry, true);
  record.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([record, entry.name]);
}
