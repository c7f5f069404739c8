import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { held } from '#kernel/streams/held.js';
import { ObjectTooLarge, type StoredObject } from './object-storage.js';

/** Passes content through while measuring and digesting it; stops with ObjectTooLarge. */
export class Meter {
  private readonly hash = createHash('sha256');
  private size = 0;
  /** Why the content could not be read to its end; libraries in between may report something else. */
  failure: unknown;

  constructor(private readonly maxBytes = Number.POSITIVE_INFINITY) {}

  /**
   * Yields the chunks of the source, which is not destroyed when reading stops early: the caller may still
   * respond on its socket.
   */
  pass(source: Readable | Buffer): AsyncGenerator<Buffer, void, undefined> {
    // It may fail before its first chunk is requested.
    return this.measure(Buffer.isBuffer(source) ? source : held(source));
  }

  private async *measure(source: Readable | Buffer): AsyncGenerator<Buffer, void, undefined> {
    try {
      // Not destroyed on return, as the loop would do by default.
      const chunks = Buffer.isBuffer(source) ? [source] : source.iterator({ destroyOnReturn: false });
      for await (const chunk of chunks as AsyncIterable<Buffer | string>) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        this.add(bytes);
        yield bytes;
      }
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** Size and digest of what has passed; may be called once. */
  result(): StoredObject {
    return { size: this.size, sha256: this.hash.digest('hex') };
  }

  private add(bytes: Buffer): void {
    this.size += bytes.length;
    if (this.size > this.maxBytes) throw new ObjectTooLarge(this.maxBytes);
    this.hash.update(bytes);
  }
}
