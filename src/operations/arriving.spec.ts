import { describe, expect, it } from '@jest/globals';
import { arriving } from './arriving.js';

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function* silentAfter(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
  await new Promise(() => undefined);
}

async function read(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of arriving(body, 20)) text += piece.toString();
  return text;
}

describe('a body', () => {
  it('is read as it arrives', async () => {
    expect(await read(pieces('one', ' ', 'two'))).toBe('one two');
  });

  it('that stops arriving is given up', async () => {
    await expect(read(silentAfter('one'))).rejects.toMatchObject({ slug: 'body-too-slow', status: 408 });
  });
});
