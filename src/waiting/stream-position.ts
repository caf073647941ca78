import { LRUCache } from 'lru-cache';

const BUCKETS = 256;

/** Where streams stand that are up to date, by text: they share one object, its text and its next step. */
const current = new LRUCache<string, StreamPosition>({ max: 64 });

/** How far a stream of events has come in each bucket that it follows; -1 where it follows none. It never changes. */
export class StreamPosition {
  private text: string | undefined;
  private lastStep:
    { readonly bucket: number; readonly position: number; readonly to: StreamPosition } | undefined;

  private constructor(private readonly positions: Float64Array) {}

  /** By bucket. */
  static of(come: Iterable<readonly [bucket: number, position: number]>): StreamPosition {
    const positions = new Float64Array(BUCKETS).fill(-1);
    for (const [bucket, position] of come) positions[bucket] = position;
    return new StreamPosition(positions).shared();
  }

  get(bucket: number): number {
    return this.positions[bucket] ?? -1;
  }

  /** The position after this one that has come as far as `position` in a bucket. */
  moved(bucket: number, position: number): StreamPosition {
    if (this.get(bucket) === position) return this;
    const { lastStep } = this;
    if (lastStep?.bucket === bucket && lastStep.position === position) return lastStep.to;
    const to = new StreamPosition(this.positions.with(bucket, position)).shared();
    this.lastStep = { bucket, position, to };
    return to;
  }

  /**
   * As text that an event's id can carry: for each bucket followed, how many it lies after the one before, and the
   * position, both as numbers of 7 bits a byte, the lowest first; in base64url.
   */
  toString(): string {
    return (this.text ??= this.write());
  }

  private write(): string {
    const bytes: number[] = [];
    let before = -1;
    for (const [bucket, position] of this.positions.entries()) {
      if (position < 0) continue;
      writeNumber(bytes, bucket - before - 1);
      writeNumber(bytes, position);
      before = bucket;
    }
    return Buffer.from(bytes).toString('base64url');
  }

  /** What `toString` wrote, or undefined for anything else. */
  static read(text: string): StreamPosition | undefined {
    if (!/^[\w-]{0,4096}$/.test(text)) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const numbers = bytes.toString('base64url') === text ? readNumbers(bytes) : undefined;
    if (!numbers || numbers.length % 2 === 1) return undefined;
    const come: [bucket: number, position: number][] = [];
    let bucket = -1;
    for (const [index, number] of numbers.entries()) {
      if (index % 2 === 0) bucket += number + 1;
      else come.push([bucket, number]);
    }
    return bucket < BUCKETS ? StreamPosition.of(come) : undefined;
  }

  private shared(): StreamPosition {
    const same = current.get(this.toString());
    if (!same) current.set(this.toString(), this);
    return same ?? this;
  }
}

function writeNumber(bytes: number[], number: number): void {
  for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  bytes.push(number);
}

/** Undefined when the last number is cut short or one is beyond what a position can be. */
function readNumbers(bytes: Buffer): number[] | undefined {
  const numbers: number[] = [];
  let number = 0;
  let worth = 1;
  for (const byte of bytes) {
    number += (byte & 127) * worth;
    if (number > Number.MAX_SAFE_INTEGER) return undefined;
    worth *= 128;
    if (byte >= 128) continue;
    numbers.push(number);
    [number, worth] = [0, 1];
  }
  return worth === 1 ? numbers : undefined;
}
