/** How far a stream of events has come in each bucket that it follows; -1 where it follows none. */
export class StreamPosition {
  private readonly positions = new Float64Array(256).fill(-1);

  get(bucket: number): number {
    return this.positions[bucket] ?? -1;
  }

  set(bucket: number, position: number): void {
    if (bucket in this.positions) this.positions[bucket] = position;
  }

  /**
   * As text that an event's id can carry: for each bucket followed, how many it lies after the one before, and the
   * position, both as numbers of 7 bits a byte, the lowest first; in base64url.
   */
  toString(): string {
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
    const read = new StreamPosition();
    let bucket = -1;
    for (const [index, number] of numbers.entries()) {
      if (index % 2 === 0) bucket += number + 1;
      else read.set(bucket, number);
    }
    return bucket > 255 ? undefined : read;
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
