import { createHash } from 'node:crypto';

/** Deterministic random numbers: the same key gives the same numbers on every machine. */
export class Chance {
  private state: number;

  constructor(private readonly key: string) {
    this.state = createHash('sha256').update(key).digest().readUInt32LE(0);
  }

  /** A number from 0 (inclusive) to 1 (exclusive), by mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whether an event of this probability happens. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** A number between two bounds, skewed towards small ones, as waiting times are. */
  skewed(min: number, max: number): number {
    return min + (max - min) * this.next() * this.next();
  }

  /** An integer between two bounds, both inclusive. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** Picks an item of a non-empty list. */
  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)] as T;
  }

  /** Commit id of a label; the same label always gives the same id. */
  sha(label: string): string {
    return createHash('sha1').update(`${this.key}\n${label}`).digest('hex');
  }
}
