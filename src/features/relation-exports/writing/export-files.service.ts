import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import { ObjectStorage, type StoredObject } from '#kernel/object-storage/object-storage.js';
import { held } from '#kernel/streams/held.js';

/** A file in the object storage that no row refers to yet. */
export interface StagedFile extends StoredObject {
  readonly key: string;
}

/** Chunks of a file, produced on demand. */
export type Pieces = AsyncIterable<string | Uint8Array>;

/** Writes files of exports to the object storage, compressed. */
@Injectable()
export class ExportFilesService {
  constructor(
    private readonly claims: ObjectClaims,
    private readonly storage: ObjectStorage,
  ) {}

  /** Writes a file; without a row it is removed automatically. Rethrows errors of `pieces`. */
  async stage(exportId: number, pieces: Pieces, signal: AbortSignal): Promise<StagedFile> {
    const key = await this.claims.claim(`relation-exports/${exportId}`);
    const packed = held(createGzip());
    let failure: unknown;
    const packing = pipeline(Readable.from(pieces), packed, { signal }).catch((error: unknown) => {
      failure = error;
    });
    try {
      const put = (): Promise<StoredObject> =>
        this.storage.put(key, packed, { contentType: 'application/gzip' });
      const stored = await this.claims.renewedWhile(key, put);
      await packing;
      if (failure !== undefined) throw failure as Error;
      return { key, ...stored };
    } catch (error) {
      // With this error, the packing does not fail with one that hides it.
      packed.destroy(error as Error);
      await packing;
      await this.claims.giveUp(key);
      throw failure ?? error;
    }
  }

  /** Discards a file. */
  discard({ key }: StagedFile): Promise<void> {
    return this.claims.giveUp(key);
  }
}
