import { expect, it } from '@jest/globals';
import { inLargePieces, wholeOf } from './pieces.js';

const CONTENT = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 251));

/** The content in pieces of these lengths, in turn. */
async function* cut(...lengths: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < CONTENT.length; turn += 1) {
    const end = at + (lengths[turn % lengths.length] as number);
    yield await Promise.resolve(CONTENT.subarray(at, end));
    at = end;
  }
}

it.each([[[1]], [[1, 1_024]], [[2_000, 1, 3]], [[20_000]]])('joins pieces of %p bytes', async (lengths) => {
  expect((await wholeOf(cut(...lengths))).equals(CONTENT)).toBe(true);
});

it('passes a stream on in large pieces', async () => {
  const pieces: Buffer[] = [];
  for await (const piece of inLargePieces(cut(7), 3_000)) pieces.push(piece as Buffer);
  expect(pieces[0]).toHaveLength(7);
  expect(pieces.slice(64, -1).every(({ length }) => length >= 3_000)).toBe(true);
  expect(Buffer.concat(pieces).equals(CONTENT)).toBe(true);
});
