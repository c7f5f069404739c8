import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lineBatches, type LineBatch } from './line-batches.js';
import { wholeFile } from '../files/whole-file.js';

const SIZES = { batchRows: 500, batchBytes: 4_000_000, lineBytes: 1_000 };

async function* pieces(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < text.length; start += size) yield text.subarray(start, start + size);
  await Promise.resolve();
}

async function all(batches: AsyncIterable<LineBatch>): Promise<LineBatch[]> {
  const found: LineBatch[] = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

describe('batches of lines', () => {
  it('contain the same lines however the bytes arrive and the batches are divided', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 40 }),
        fc.record({
          piece: fc.integer({ min: 1, max: 50 }),
          rows: fc.integer({ min: 1, max: 7 }),
          bytes: fc.integer({ min: 1, max: 90 }),
          skipped: fc.integer({ min: 0, max: 45 }),
          ends: fc.boolean(),
        }),
        async (given, { piece, rows, bytes, skipped, ends }) => {
          const texts = given.map((text) => text.replaceAll('\n', ''));
          const file = Buffer.from(texts.join('\n') + (ends && texts.length > 0 ? '\n' : ''));
          const sizes = { batchRows: rows, batchBytes: bytes, lineBytes: 1_000 };
          const batches = await all(lineBatches(pieces(file, piece), sizes, skipped));
          const lines = batches.flatMap((batch) => batch.lines);
          const isText = ({ text }: { readonly text: string | undefined }): boolean => text?.trim() !== '';
          const expected = texts.map((text, index) => ({ number: index + 1, text }));
          const read = lines.map(({ number, line }) => ({ number, text: line?.toString() }));
          expect(read.filter(isText)).toEqual(
            expected.filter(isText).filter(({ number }) => number > skipped),
          );
          let done = 0;
          for (const batch of batches) {
            expect(batch.lines.length).toBeLessThanOrEqual(rows);
            if (batch.lines.length > 1) expect(batch.bytes).toBeLessThanOrEqual(bytes);
            expect(batch.lines[0]?.number).toBeGreaterThan(done);
            done = batch.linesDone;
            expect(batch.lines.at(-1)?.number).toBeLessThanOrEqual(done);
          }
        },
      ),
    );
  });

  it('drop lines that are too long while they arrive, and no others', async () => {
    const file = Buffer.from(`a\n${'b'.repeat(5_000)}\nc\n${'d'.repeat(1_001)}`);
    const [batch] = await all(lineBatches(pieces(file, 64), SIZES));
    expect(batch?.lines.map(({ number, line }) => [number, line?.toString() ?? null])).toEqual([
      [1, 'a'],
      [2, null],
      [3, 'c'],
      [4, null],
    ]);
  });

  it('contain the only line for a file of one object, and nothing once it is processed', async () => {
    const file = Buffer.from('{\n "a": 1\n}\n');
    const [batch] = await all(wholeFile(pieces(file, 3), SIZES));
    expect(batch?.lines.map(({ line }) => line?.toString())).toEqual(['{\n "a": 1\n}\n']);
    expect(await all(wholeFile(pieces(file, 3), SIZES, 1))).toEqual([]);
    const [tooLarge] = await all(wholeFile(pieces(Buffer.alloc(2_000), 100), SIZES));
    expect(tooLarge?.lines).toEqual([{ number: 1, line: null }]);
  });
});
