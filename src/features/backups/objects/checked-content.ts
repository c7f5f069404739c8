import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** What content must be. */
export interface ExpectedContent {
  readonly size: number;
  /** Hexadecimal SHA-256. */
  readonly sha256: string;
}

/** Passes bytes on, and fails at their end, or where there are more, if they are not those that are expected. */
export class CheckedContent extends Transform {
  private readonly hash = createHash('sha256');
  private size = 0;
  /** Whether all bytes have passed and are the expected ones. */
  isWhole = false;

  constructor(
    private readonly expected: ExpectedContent,
    private readonly problem: () => Error,
  ) {
    super();
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(data);
    this.size += data.length;
    if (this.size > this.expected.size) done(this.problem());
    else done(null, data);
  }

  override _flush(done: TransformCallback): void {
    this.isWhole = this.size === this.expected.size && this.hash.digest('hex') === this.expected.sha256;
    done(this.isWhole ? null : this.problem());
  }
}
