import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { frame, FrameReader, Kind } from '#kernel/processes/frames.js';

const FRAME = fc.record({
  kind: fc.constantFrom(...Object.values(Kind)),
  id: fc.nat(2 ** 32 - 1),
  content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

describe('frames', () => {
  it('come out as they went in, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(FRAME),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }),
        (frames, cuts) => {
          const all = Buffer.concat(frames.map(({ kind, id, content }) => frame(kind, id, content)));
          const found: unknown[] = [];
          const reader = new FrameReader((kind, id, content) =>
            found.push({ kind, id, content: Buffer.from(content) }),
          );
          for (let at = 0, piece = 0; at < all.length; piece += 1) {
            const end = at + (cuts[piece % cuts.length] as number);
            reader.push(all.subarray(at, end));
            at = end;
          }
          expect(found).toEqual(frames);
        },
      ),
    );
  });

  it('take text as UTF-8', () => {
    const found: string[] = [];
    const reader = new FrameReader((_kind, _id, content) => found.push(content.toString()));
    reader.push(frame(Kind.Failed, 1, 'größer'));
    reader.push(frame(Kind.Failed, 2));
    expect(found).toEqual(['größer', '']);
  });
});
