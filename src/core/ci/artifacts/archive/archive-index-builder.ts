import { setImmediate } from 'node:timers/promises';
import {
  encodeRecord,
  encodeSpan,
  pathDigest,
  RECORD_BYTES,
  startOf,
  type FileLocation,
} from './archive-index.js';
import type { Extents } from './extents.js';
import { POSITIONS_A_TURN, sortedPositions } from './sorted-positions.js';

const FIRST_RECORDS = 1024;

/** A finished index. */
export interface ArchiveIndex {
  readonly entries: Buffer;
  readonly count: number;
}

/**
 * Collects the records of an index, and nothing else per file. The span of a record is known only once all
 * files are added.
 */
export class ArchiveIndexBuilder {
  private records = Buffer.allocUnsafe(FIRST_RECORDS * RECORD_BYTES);
  private count = 0;

  /** Adds a file. */
  add(path: string, location: Omit<FileLocation, 'span'>): void {
    if (this.records.length === this.count * RECORD_BYTES) {
      this.records = Buffer.concat([this.records, Buffer.allocUnsafe(this.records.length)]);
    }
    encodeRecord(pathDigest(path), { ...location, span: 0 }).copy(this.records, this.count * RECORD_BYTES);
    this.count += 1;
  }

  /**
   * Sorts and encodes the index. Paths that occur more than once are left out, because readers of archives
   * disagree on which file they mean.
   */
  async finish(extents: Extents): Promise<ArchiveIndex> {
    const positions = await this.sortedPositions();
    const entries = Buffer.allocUnsafe(this.count * RECORD_BYTES);
    let kept = 0;
    for (let index = 0, turn = POSITIONS_A_TURN; index < positions.length;) {
      if (index >= turn) {
        await setImmediate();
        turn = index + POSITIONS_A_TURN;
      }
      let next = index + 1;
      while (
        next < positions.length &&
        this.compare(positions[index] as number, positions[next] as number) === 0
      )
        next += 1;
      if (next === index + 1) {
        const record = this.at(positions[index] as number);
        const start = startOf(record);
        encodeSpan(record, extents.endOf(start) - start);
        record.copy(entries, kept * RECORD_BYTES);
        kept += 1;
      }
      index = next;
    }
    return { entries: entries.subarray(0, kept * RECORD_BYTES), count: kept };
  }

  private async sortedPositions(): Promise<Uint32Array> {
    // Nearly always the first 6 bytes decide, and numbers compare quickly.
    const keys = new Float64Array(this.count);
    for (let position = 0; position < this.count; position += 1)
      keys[position] = this.records.readUIntBE(position * RECORD_BYTES, 6);
    return sortedPositions(
      this.count,
      (one, other) => (keys[one] as number) - (keys[other] as number) || this.compare(one, other),
    );
  }

  private at(position: number): Buffer {
    return this.records.subarray(position * RECORD_BYTES, (position + 1) * RECORD_BYTES);
  }

  private compare(one: number, other: number): number {
    return this.at(one).compare(this.at(other), 0, 16, 0, 16);
  }
}
