import { Transform, type TransformCallback } from 'node:stream';
import { CorruptFile } from './verified-content.js';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER = 0x04034b50;

/** Strips the local header and trailing bytes of a file in an archive; passes its compressed content on. */
export class EntryContent extends Transform {
  private header: Buffer | null = Buffer.alloc(0);
  private remaining: number;
  private skip = 0;

  constructor(packedSize: number) {
    super();
    this.remaining = packedSize;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    let content = chunk;
    if (this.header) {
      this.header = Buffer.concat([this.header, chunk]);
      if (this.header.length < LOCAL_HEADER_BYTES) {
        done();
        return;
      }
      if (this.header.readUInt32LE(0) !== LOCAL_HEADER) {
        done(new CorruptFile('There is no file where the archive says'));
        return;
      }
      // Name and extra fields may be longer than in the central directory.
      this.skip = LOCAL_HEADER_BYTES + this.header.readUInt16LE(26) + this.header.readUInt16LE(28);
      content = this.header;
      this.header = null;
    }
    const skipped = Math.min(this.skip, content.length);
    this.skip -= skipped;
    const taken = content.subarray(skipped, skipped + this.remaining);
    this.remaining -= taken.length;
    if (taken.length > 0) this.push(taken);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(this.remaining > 0 ? new CorruptFile('The file ends too early') : null);
  }
}
