import { Transform, type TransformCallback } from 'node:stream';

/** The content has another length than was recorded. */
export class WrongLength extends Error {}

/** Passes exactly so many bytes on: fails before the first one too many, and at an end that comes too early. */
export class ExactLength extends Transform {
  constructor(private left: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.left -= chunk.length;
    if (this.left < 0) done(new WrongLength('The content is longer than it was'));
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    done(this.left > 0 ? new WrongLength('The content is shorter than it was') : null);
  }
}
