import { Readable } from 'node:stream';

/** Each piece takes a few hundred bytes of memory, however short it is. */
const SMALL = 1_024;
const MOST_SMALL = 256;

/** Collects the pieces of a stream, and joins short ones: a client may send a body of megabytes byte by byte. */
export class Pieces {
  private large: Buffer[] = [];
  private small: Buffer[] = [];
  /** Bytes collected so far. */
  size = 0;

  add(piece: Buffer): void {
    this.size += piece.length;
    if (piece.length >= SMALL) {
      this.joinSmall();
      this.large.push(piece);
      return;
    }
    this.small.push(piece);
    if (this.small.length >= MOST_SMALL) this.joinSmall();
  }

  /** Returns what has been collected, and forgets it. */
  take(): Buffer {
    const pieces = [...this.large, ...this.small];
    [this.large, this.small, this.size] = [[], [], 0];
    return Buffer.concat(pieces);
  }

  private joinSmall(): void {
    if (this.small.length === 0) return;
    this.large.push(Buffer.concat(this.small));
    this.small = [];
  }
}

/** Reads a stream to its end. */
export async function wholeOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces = new Pieces();
  for await (const piece of stream) pieces.add(piece);
  return pieces.take();
}

/** Pieces that are passed on as they come, so that the start of a file is stored before more of it arrives. */
const FIRST = 64;

/**
 * Passes a stream on in pieces of at least `minBytes`, except for the first 64 and the last one, to a reader that keeps or examines each
 * piece.
 */
export const inLargePieces = (stream: AsyncIterable<Buffer>, minBytes = 64 * 1024): Readable =>
  Readable.from(largePieces(stream, minBytes), { objectMode: false });

async function* largePieces(stream: AsyncIterable<Buffer>, minBytes: number): AsyncGenerator<Buffer> {
  const pieces = new Pieces();
  let passed = 0;
  for await (const piece of stream) {
    pieces.add(piece);
    if (passed >= FIRST && pieces.size < minBytes) continue;
    passed += 1;
    yield pieces.take();
  }
  if (pieces.size > 0) yield pieces.take();
}
