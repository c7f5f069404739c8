import { RandomAccessReader } from 'yauzl';
import { type ObjectStorage } from '#kernel/object-storage/object-storage.js';

const WINDOW_BYTES = 256 * 1024;

/**
 * Random access reader of an object for yauzl; reads windows, so that many small directory entries need few
 * requests.
 */
export class StorageReader extends RandomAccessReader {
  /** Error of the storage, as opposed to an invalid archive. */
  failure: Error | undefined;
  private window: Buffer = Buffer.alloc(0);
  private windowStart = 0;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly key: string,
    private readonly size: number,
  ) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (position + length > this.size) {
      callback(null, 0);
      return;
    }
    const copy = (): void => {
      const from = position - this.windowStart;
      this.window.copy(buffer, offset, from, from + length);
      callback(null, length);
    };
    const isThere =
      position >= this.windowStart && position + length <= this.windowStart + this.window.length;
    // Never call back synchronously: yauzl would recurse ever deeper.
    if (isThere) queueMicrotask(copy);
    else
      this.load(position, length).then(copy, (error: unknown) => {
        this.failure = error as Error;
        callback(error as Error);
      });
  }

  /** Reads bytes of the object; zeros beyond its end. */
  bytes(position: number, length: number): Promise<Buffer> {
    const found = Buffer.alloc(length);
    return new Promise((resolve, reject) => {
      this.read(found, 0, length, position, (error) => (error ? reject(error) : resolve(found)));
    });
  }

  private async load(position: number, length: number): Promise<void> {
    const start = Math.max(0, Math.min(position, this.size - WINDOW_BYTES));
    const end = Math.min(this.size, Math.max(start + WINDOW_BYTES, position + length));
    const chunks: Buffer[] = [];
    for await (const chunk of await this.storage.range(this.key, start, end - 1))
      chunks.push(chunk as Buffer);
    this.window = Buffer.concat(chunks);
    this.windowStart = start;
    if (this.window.length !== end - start) throw new Error(`Object ${this.key} is shorter than it was`);
  }
}
