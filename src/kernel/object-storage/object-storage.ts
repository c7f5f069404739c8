import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { LocalFile } from '#kernel/disk/local-file.js';
import { ExactLength, WrongLength } from '#kernel/streams/exact-length.js';

/** Options of ObjectStorage.put. */
export interface PutOptions {
  readonly contentType?: string;
  /** Larger content is rejected with ObjectTooLarge, and nothing is stored. */
  readonly maxBytes?: number;
}

/** Says that the whole object is requested, with its digest. */
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

/** Response headers that the store sends for a signed URL. */
export interface SignedAs {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** Metadata of an object. */
export interface ObjectInfo {
  readonly size: number;
  readonly modifiedAt: Date;
}

/** One object of a listing. */
export interface ListedObject extends ObjectInfo {
  readonly key: string;
}

/** Folder of the objects that `checkWritable` writes and removes again; a process that is killed may leave one. */
export const PROBES = 'health/';

/** There is no object with this key. */
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

/** The range starts after the end of the object. */
export class RangeNotSatisfiable extends Error {
  constructor(readonly key: string) {
    super(`Object ${key} has no such range`);
  }
}

/** The store has answered, but not as it should. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/**
 * Files under keys such as `artifacts/12/34/archive.zip`, on disk or in S3. A key appears when its content is
 * complete, and is replaced as a whole. Returned streams must be read to the end or destroyed.
 */
export abstract class ObjectStorage {
  /**
   * Writes an object. A source that fails or is too large leaves nothing behind; it is not destroyed, so that
   * a request can still be responded to.
   */
  abstract put(key: string, content: Readable | Buffer, options?: PutOptions): Promise<StoredObject>;

  /** Returns the whole content. @throws ObjectNotFound */
  abstract get(key: string): Promise<Readable>;

  /** Returns bytes `start` to `end`, both inclusive. @throws ObjectNotFound @throws RangeNotSatisfiable */
  abstract range(key: string, start: number, end: number): Promise<Readable>;

  /** Returns size and time. @throws ObjectNotFound */
  abstract head(key: string): Promise<ObjectInfo>;

  /** Removes an object; it need not exist. */
  abstract delete(key: string): Promise<void>;

  /**
   * Lists every object whose key starts with `prefix` (a whole folder, ending in `/`, or everything), in no
   * particular order.
   */
  abstract list(prefix?: string): AsyncIterable<ListedObject>;

  /** Fails if nothing can be written. */
  abstract checkWritable(): Promise<void>;

  /** Removes what uploads of killed processes have left, once no upload can still be running. */
  abstract removeStale(): Promise<void>;

  /**
   * Opens `length` bytes from `start` of a local object, to be closed by the caller; null if objects are not
   * local. One requested as a `whole` with that digest may come from memory.
   * @throws ObjectNotFound
   */
  abstract openLocal(key: string, start: number, length: number, whole?: Whole): Promise<LocalFile | null>;

  /**
   * Returns the path of an object in the local object folder; null if objects are not local. @throws
   * ObjectNotFound
   */
  abstract localPath(key: string): Promise<string | null>;

  /**
   * Returns a URL that grants anyone read access to the object for a minute; null if the store has none.
   * @throws ObjectNotFound
   */
  abstract signedUrl(key: string, as: SignedAs): Promise<string | null>;

  /** Closes connections. */
  abstract close(): void;

  /**
   * Reads a small object as a whole. An S3 may send less or more than it was given. @throws ObjectNotFound
   * @throws WrongAnswer if it does not have that size
   */
  async whole(key: string, size: number): Promise<Buffer> {
    const exact = pipeline(await this.get(key), new ExactLength(size), () => undefined);
    try {
      return await buffer(exact);
    } catch (error) {
      throw error instanceof WrongLength ? new WrongAnswer(`Object ${key}: ${error.message}`) : error;
    }
  }

  /**
   * Removes many objects, a few at a time. Returns the errors of those that could not be removed. @throws the reason of
   * `signal`, after which no further one is removed
   */
  async deleteMany(keys: Iterable<string>, signal?: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
    const failed = new Map<string, unknown>();
    const remaining = keys[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (let next = remaining.next(); !next.done; next = remaining.next()) {
        if (signal?.aborted === true) return;
        const key = next.value;
        await this.delete(key).catch((error: unknown) => failed.set(key, error));
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    signal?.throwIfAborted();
    return failed;
  }
}
