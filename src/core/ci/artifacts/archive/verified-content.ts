import { Transform, type TransformCallback } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { FileLocation } from './archive-index.js';

/** The content of a file is not what its archive says of it. */
export class CorruptFile extends Error {}

/**
 * Passes the content of a file on as long as it can be right. The last piece is held back until size and checksum are known to be those that
 * were promised: nobody takes a wrong file for a whole one, and a small one is known to be right before anything was answered.
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
