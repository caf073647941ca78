const INITIAL = 64 * 1024;
/** Longer texts are written faster by one call into the engine than character by character. */
const SHORT = 24;

/** Characters of ASCII that stand for themselves in a format, by code. */
export type PlainCharacters = Uint8Array;

/** All that can be seen, and the blank, but for those that are named. */
export function plainBut(special: string): PlainCharacters {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    code < 0x20 || code === 0x7f || special.includes(String.fromCharCode(code)) ? 0 : 1,
  );
}

/** A text that is written again and again, ready to be copied. */
export type Fragment = Uint8Array;

export function fragment(text: string): Fragment {
  return new TextEncoder().encode(text);
}

/**
 * Text as UTF-8 bytes, in one buffer that is used again and again: a report is millions of short texts, and putting them together as strings
 * first costs several times as much.
 */
export class Utf8Buffer {
  private bytes = Buffer.allocUnsafeSlow(INITIAL);
  private used = 0;

  get length(): number {
    return this.used;
  }

  text(value: string): void {
    const { length } = value;
    this.reserve(3 * length);
    if (length > SHORT) {
      this.used += this.bytes.write(value, this.used);
      return;
    }
    const { bytes } = this;
    let at = this.used;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) {
        this.used += bytes.write(value, this.used);
        return;
      }
      bytes[at++] = code;
    }
    this.used = at;
  }

  /** Writes a text all of whose characters are plain; of any other it writes nothing and answers false. */
  plain(value: string, characters: PlainCharacters): boolean {
    const { length } = value;
    this.reserve(length);
    const { bytes } = this;
    let at = this.used;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f || characters[code] === 0) return false;
      bytes[at++] = code;
    }
    this.used = at;
    return true;
  }

  /** A character of ASCII, by its code. */
  byte(code: number): void {
    this.reserve(1);
    this.bytes[this.used++] = code;
  }

  /** Takes back what was written from there on. */
  cutTo(length: number): void {
    this.used = length;
  }

  append(more: Uint8Array): void {
    this.reserve(more.length);
    this.bytes.set(more, this.used);
    this.used += more.length;
  }

  /** What was written, or a part of it, in place: good until the next writing. */
  view(start = 0, end = this.used): Buffer {
    return this.bytes.subarray(start, end);
  }

  private reserve(more: number): void {
    if (this.used + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.used + more));
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
  }
}
