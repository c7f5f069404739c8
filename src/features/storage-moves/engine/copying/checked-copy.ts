import { createHash, timingSafeEqual, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createInflate, inflate } from 'node:zlib';
import { MoveFailure } from '../run/move-failure.js';

const DIGEST_BYTES = 20;

/** Loose objects up to this are read completely: most have a few hundred bytes. */
const SMALL = 16 * 1024;

/** Large chunks reduce overhead; larger ones would block the event loop. */
const PIECE = 256 * 1024;

/** A file of a repository with a checksum of its content. */
export interface CheckedFile {
  readonly from: string;
  readonly to: string;
  readonly size: number;
  /**
   * Id of a loose object; null for files that end with the SHA-1 of the preceding content (packs and their
   * indexes).
   */
  readonly objectId: string | null;
}

/** Copies a file and verifies its checksum. @throws MoveFailure if it does not match */
export async function copyChecked(
  file: CheckedFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (file.objectId !== null && file.size <= SMALL) {
    await copySmallObject(file, file.objectId);
    onBytes(file.size);
    return;
  }
  const check = file.objectId === null ? new TrailerCheck() : new ObjectCheck(file.objectId);
  await pipeline(
    createReadStream(file.from, { highWaterMark: PIECE }),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        await check.update(piece);
        onBytes(piece.length);
        yield piece;
      }
      if (!(await check.isGood())) throw broken(file.from);
    },
    createWriteStream(file.to, { flags: 'wx', mode: 0o444 }),
    { signal },
  );
}

const broken = (path: string): MoveFailure => new MoveFailure(`${path} is broken`);

async function copySmallObject({ from, to }: CheckedFile, objectId: string): Promise<void> {
  const content = await readFile(from);
  const object = await promisify(inflate)(content).catch(() => null);
  if (!object || createHash('sha1').update(object).digest('hex') !== objectId) throw broken(from);
  await writeFile(to, content, { flag: 'wx', mode: 0o444 });
}

/** For packs, indexes, bitmaps and similar: the last 20 bytes are the SHA-1 of all others. */
class TrailerCheck {
  private readonly hash = createHash('sha1');
  private tail: Buffer = Buffer.alloc(0);

  update(piece: Buffer): void {
    const all = piece.length < DIGEST_BYTES ? Buffer.concat([this.tail, piece]) : piece;
    if (all === piece) this.hash.update(this.tail);
    const split = Math.max(0, all.length - DIGEST_BYTES);
    this.hash.update(all.subarray(0, split));
    this.tail = Buffer.from(all.subarray(split));
  }

  isGood(): boolean {
    return this.tail.length === DIGEST_BYTES && timingSafeEqual(this.hash.digest(), this.tail);
  }
}

/** For loose objects: the name is the SHA-1 of the uncompressed content. */
class ObjectCheck {
  private readonly inflater = createInflate();
  private readonly hash: Hash = createHash('sha1');
  private readonly ended: Promise<boolean>;

  constructor(private readonly objectId: string) {
    this.inflater.on('data', (piece: Buffer) => this.hash.update(piece));
    this.ended = new Promise((resolve) => {
      this.inflater.once('end', () => resolve(true));
      this.inflater.once('error', () => resolve(false));
    });
  }

  async update(piece: Buffer): Promise<void> {
    if (this.inflater.destroyed || this.inflater.write(piece)) return;
    await Promise.race([this.ended, new Promise((resolve) => this.inflater.once('drain', resolve))]);
  }

  async isGood(): Promise<boolean> {
    this.inflater.end();
    return (await this.ended) && this.hash.digest('hex') === this.objectId;
  }
}
