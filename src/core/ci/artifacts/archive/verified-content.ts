import { Transform, type TransformCallback } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { FileLocation } from './archive-index.js';

/** Thrown if the content of a file does not match its archive. */
export class CorruptFile extends Error {}

/**
 * Passes content on while it can still be valid. The last chunk is held back until size and checksum are
 * verified, so that no client takes a corrupt file as complete, and small files are verified before the
 * response begins.
 */
export class VerifiedContent extends Transform {
  private held: Buffer | null = null;
  private size = 0;
  private checksum = 0;

  constructor(private readonly promised: Pick<FileLocation, 'size' | 'crc32'>) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.promised.size) {
      done(new CorruptFile('The file is larger than its archive says'));
      return;
    }
    this.checksum = crc32(chunk, this.checksum);
    if (this.held) this.push(this.held);
    this.held = chunk;
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.size !== this.promised.size || this.checksum !== this.promised.crc32) {
      done(new CorruptFile('The file is not what its archive says'));
      return;
    }
    if (this.held) this.push(this.held);
    done();
  }
}
