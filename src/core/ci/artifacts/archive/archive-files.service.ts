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

/** Records that are read at a time when the first window was the wrong one. */
const FURTHER_RECORDS = 512;

/** The longest header before a file, its name and extra fields included. */
const MAX_HEADER_BYTES = 30 + 2 * 0xffff;

/** The archive of a job, and the part of its index in which a file is to be expected (`expectedWindow`). */
export interface ArchiveWindow {
  readonly id: number;
  readonly objectKey: string;
  readonly entryCount: number;
  /** Number of the first record of the window. */
  readonly windowStart: number;
  readonly window: Buffer;
}

/** A file within an archive. */
export interface ArchivedFile {
  readonly objectKey: string;
  readonly location: FileLocation;
}

const FURTHER = `select substring(entries from $2::int + 1 for $3::int) as records from ci_job_artifacts where id = $1`;

const half = (count: string): string => `(8 + ceil(1.5 * sqrt(${count})))::int`;

/**
 * Select list: number of the first record, and the records among which a path is to be expected, of the row `artifact`. Three of the standard
 * deviations by which a record may lie off its place, on both sides. `fraction` is a parameter: `fractionOf` the digest of the path.
 */
export function expectedWindow(artifact: string, fraction: string): string {
  const count = `${artifact}.entry_count`;
  const start = `greatest(floor(${fraction}::float8 * ${count})::int - ${half(count)}, 0)`;
  const length = `2 * ${half(count)}`;
  return `${start} as "windowStart",
    substring(${artifact}.entries from ${start} * ${RECORD_BYTES} + 1 for ${length} * ${RECORD_BYTES}) as "window"`;
}

/** What `expectedWindow` is to be asked with for a path. */
export const fractionOfPath = (path: string): number => fractionOf(pathDigest(path));

/** Finds single files in the archives of jobs, and reads them: one range of the object each. */
@Injectable()
export class ArchiveFilesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly storage: ObjectStorage,
  ) {}

  /** Where a file lies, or null when the archive has none of that path. */
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
      // Somebody has chosen names whose digests lie closely together, or it is one case in three hundred: halving always ends.
      start = Math.max(low, Math.floor((low + high - FURTHER_RECORDS) / 2));
      window = await this.recordsFrom(archive.id, start, Math.min(FURTHER_RECORDS, high - start));
    }
  }

  /**
   * The content of a file, of which the first bytes are there.
   * @throws ObjectNotFound when the archive is gone @throws CorruptFile when it is not what its index says
   */
  async open({ objectKey, location }: ArchivedFile): Promise<Readable> {
    const { start, span, packedSize, packing } = location;
    const length = Math.min(span, MAX_HEADER_BYTES + packedSize);
    const packed = await this.storage.range(objectKey, start, start + length - 1).catch(asCorrupt);
    const unpacked = packing === DEFLATED ? [createInflateRaw()] : [];
    const content = held(new VerifiedContent(location));
    // What fails on the way destroys all of it, and so does whoever stops reading.
    pipeline([packed, new EntryContent(packedSize), ...unpacked, content], () => undefined);
    try {
      await once(content, 'readable');
    } catch (error) {
      throw isDataError(error) ? new CorruptFile((error as Error).message) : error;
    }
    return content;
  }

  private async recordsFrom(id: number, start: number, count: number): Promise<Buffer> {
    const place = [id, start * RECORD_BYTES, count * RECORD_BYTES];
    const row = await this.database.one<{ records: Buffer }>(FURTHER, place);
    return row?.records ?? Buffer.alloc(0);
  }
}

const asCorrupt = (error: unknown): never => {
  throw error instanceof RangeNotSatisfiable ? new CorruptFile(error.message) : error;
};

/** Of the inflating. */
const isDataError = (error: unknown): boolean =>
  ((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_');

/** Whether the content of an artifact cannot be had: lost, or damaged. */
export const isLost = (error: unknown): boolean =>
  error instanceof ObjectNotFound || error instanceof CorruptFile;
