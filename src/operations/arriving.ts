import { Problem } from './problem.js';

const LONGEST_SILENCE_MS = 30_000;

/**
 * A body as it arrives. Throws a 408 problem when nothing comes for a while; the time that the reader takes between two
 * pieces is not counted.
 */
export async function* arriving(
  body: AsyncIterable<Buffer>,
  longestSilenceMs = LONGEST_SILENCE_MS,
): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const piece = await within(longestSilenceMs, pieces.next());
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    // Not waited for: behind a piece that never comes it would wait too.
    void pieces.return?.();
  }
}

function tooSlow(): Problem {
  return new Problem('body-too-slow', 'The body stopped arriving.', { headers: { Connection: 'close' } });
}

async function within<T>(milliseconds: number, arrival: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), milliseconds);
  });
  try {
    return await Promise.race([arrival, silence]);
  } finally {
    clearTimeout(timer);
  }
}
