import type { Readable } from 'node:stream';
import type { LocalFile } from '#kernel/disk/local-file.js';

/** Options of ObjectStorage.put. */
export interface PutOptions {
  readonly contentType?: string;
  /** More than this is refused with ObjectTooLarge, and nothing is kept. */
  readonly maxBytes?: number;
}

/** Tells that all of an object is wanted, and what it is. */
export interface Whole {
  /** Hexadecimal SHA-256 of the content. */
  readonly sha256: string;
}

/** What was written. */
export interface StoredObject {
  readonly size: number;
  /** Hexadecimal SHA-256 of the content. */
  readonly sha256: string;
}

/** What the store says of an object to whom a signed address leads there. */
export interface SignedAs {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** What is known of an object without reading it. */
export interface ObjectInfo {
  readonly size: number;
  readonly modifiedAt: Date;
}

/** One object of a listing. */
export interface ListedObject extends ObjectInfo {
  readonly key: string;
}

/** There is no object of this key. */
export class ObjectNotFound extends Error {
  constructor(readonly key: string) {
    super(`Object ${key} does not exist`);
  }
}

/** The content has more bytes than allowed. */
export class ObjectTooLarge extends Error {
  constructor(readonly maxBytes: number) {
    super(`The content is larger than ${maxBytes} bytes`);
  }
}

/** The range starts behind the end of the object. */
export class RangeNotSatisfiable extends Error {
  constructor(readonly key: string) {
    super(`Object ${key} has no such range`);
  }
}

/**
 * Files under keys such as `artifacts/12/34/archive.zip`: on disk or in S3. A key appears when its content is complete,
 * and is replaced as a whole. Streams that are handed out must be read to the end or destroyed.
 */
export abstract class ObjectStorage {
  /** Writes an object. A source that fails or is too large leaves nothing; it is not destroyed, so that a request can still be answered. */
  abstract put(key: string, content: Readable | Buffer, options?: PutOptions): Promise<StoredObject>;

  /** The whole content. @throws ObjectNotFound */
  abstract get(key: string): Promise<Readable>;

  /** Bytes `start` to `end`, both included. @throws ObjectNotFound @throws RangeNotSatisfiable */
  abstract range(key: string, start: number, end: number): Promise<Readable>;

  /** Size and time. @throws ObjectNotFound */
  abstract head(key: string): Promise<ObjectInfo>;

  /** Removes an object; it need not exist. */
  abstract delete(key: string): Promise<void>;

  /** Every object whose key starts with `prefix` (a whole folder, ending in `/`, or everything), in no promised order. */
  abstract list(prefix?: string): AsyncIterable<ListedObject>;

  /** Fails when nothing can be written. */
  abstract checkWritable(): Promise<void>;

  /**
   * `length` bytes from `start` of an object that lies on this machine, to be closed by the caller; null where objects lie elsewhere. One
   * that is wanted as a `whole` of that digest may come from memory.
   * @throws ObjectNotFound
   */
  abstract openLocal(key: string, start: number, length: number, whole?: Whole): Promise<LocalFile | null>;

  /** Path of an object in the folder of objects of this machine; null where objects lie elsewhere. @throws ObjectNotFound */
  abstract localPath(key: string): Promise<string | null>;

  /** An address from which whoever has it reads the object for a minute; null where there is none. @throws ObjectNotFound */
  abstract signedUrl(key: string, as: SignedAs): Promise<string | null>;

  /** Lets go of connections. */
  abstract close(): void;

  /** Removes many objects, a few at a time. Returns what stands in the way of those that could not be removed. */
  async deleteMany(keys: Iterable<string>): Promise<ReadonlyMap<string, unknown>> {
    const failed = new Map<string, unknown>();
    const remaining = keys[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (let next = remaining.next(); !next.done; next = remaining.next()) {
        const key = next.value;
        await this.delete(key).catch((error: unknown) => failed.set(key, error));
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return failed;
  }
}
