import { once } from 'node:events';
import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { ObjectNotFound, ObjectStorage, RangeNotSatisfiable } from '#kernel/object-storage/object-storage.js';
import { held } from '#kernel/streams/held.js';
import {
  fractionOf,
  lookIn,
  DEFLATED,
  pathDigest,
  RECORD_BYTES,
  type FileLocation,
} from './archive-index.js';
import { EntryContent } from './entry-content.js';
import { CorruptFile, VerifiedContent } from './verified-content.js';

/** Records read per step if the first window missed. */
const FURTHER_RECORDS = 512;

/** Maximum size of a local file header, with name and extra fields. */
const MAX_HEADER_BYTES = 30 + 2 * 0xffff;

/** The archive of a job, with the window of its index that should contain a path (`expectedWindow`). */
export interface ArchiveWindow {
  readonly id: number;
  readonly objectKey: string;
  readonly entryCount: number;
  /** Number of the first record in the window. */
  readonly windowStart: number;
  readonly window: Buffer;
}

/** Location of a file in an archive. */
export interface ArchivedFile {
  readonly objectKey: string;
  readonly location: FileLocation;
}

const FURTHER = `select substring(entries from $2::int + 1 for $3::int) as records from ci_job_artifacts where id = $1`;

const half = (count: string): string => `(8 + ceil(1.5 * sqrt(${count})))::int`;

/**
 * Select list for the row `artifact`: number of the first record, and the records that should contain a path:
 * three standard deviations of a record's offset on both sides. `fraction` is a parameter: `fractionOf` the
 * digest of the path.
 */
export function expectedWindow(artifact: string, fraction: string): string {
  const count = `${artifact}.entry_count`;
  const start = `greatest(floor(${fraction}::float8 * ${count})::int - ${half(count)}, 0)`;
  const length = `2 * ${half(count)}`;
  return `${start} as "windowStart",
    substring(${artifact}.entries from ${start} * ${RECORD_BYTES} + 1 for ${length} * ${RECORD_BYTES}) as "window"`;
}

/** Returns the `fraction` parameter of `expectedWindow` for a path. */
export const fractionOfPath = (path: string): number => fractionOf(pathDigest(path));

/** Finds and reads single files in the archives of jobs, with one range request each. */
@Injectable()
export class ArchiveFilesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly storage: ObjectStorage,
  ) {}

  /** Returns the location of a file; null if the archive does not have this path. */
  async find(archive: ArchiveWindow, path: string): Promise<ArchivedFile | null> {
    const digest = pathDigest(path);
    let [low, high] = [0, archive.entryCount];
    let [start, window] = [archive.windowStart, archive.window];
    for (;;) {
      const end = start + window.length / RECORD_BYTES;
      const found = window.length === 0 ? 'absent' : lookIn(window, digest);
      if (typeof found === 'object') return { objectKey: archive.objectKey, location: found };
      if (found === 'absent') return null;
      if (found === 'before') high = start;
      else low = end;
      if (low >= high) return null;
      // Either names were chosen with digests close together, or this is the one case in three hundred;
      // bisection always terminates.
      start = Math.max(low, Math.floor((low + high - FURTHER_RECORDS) / 2));
      window = await this.recordsFrom(archive.id, start, Math.min(FURTHER_RECORDS, high - start));
    }
  }

  /**
   * Opens the content of a file, once its first bytes have arrived.
   * @throws ObjectNotFound if the archive does not exist, CorruptFile if the content does not match its index
   */
  async open({ objectKey, location }: ArchivedFile): Promise<Readable> {
    const { start, span, packedSize, packing } = location;
    const length = Math.min(span, MAX_HEADER_BYTES + packedSize);
    const packed = await this.storage.range(objectKey, start, start + length - 1).catch(asCorrupt);
    const unpacked = packing === DEFLATED ? [createInflateRaw()] : [];
    const content = held(new VerifiedContent(location));
    // An error in any stream, or the end of reading, destroys all of them.
    pipeline([packed, new EntryContent(packedSize), ...unpacked, content], () => undefined);
    try {
      await once(content, 'readable');
    } catch (error) {
      throw isDataError(error) ? new CorruptFile((error as Error).message) : error;
    }
    return content;
  }

  private async recordsFrom(id: number, start: number, count: number): Promise<Buffer> {
    const range = [id, start * RECORD_BYTES, count * RECORD_BYTES];
    const row = await this.database.one<{ records: Buffer }>(FURTHER, range);
    return row?.records ?? Buffer.alloc(0);
  }
}

const asCorrupt = (error: unknown): never => {
  throw error instanceof RangeNotSatisfiable ? new CorruptFile(error.message) : error;
};

/** Returns whether the error comes from inflating. */
const isDataError = (error: unknown): boolean =>
  ((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_');

/** Returns whether the content of an artifact is lost or damaged. */
export const isLost = (error: unknown): boolean =>
  error instanceof ObjectNotFound || error instanceof CorruptFile;
