import { createHash } from 'node:crypto';

/** Repeatable chance: the same key gives the same numbers, on every machine. */
export class Chance {
  private state: number;

  constructor(private readonly key: string) {
    this.state = createHash('sha256').update(key).digest().readUInt32LE(0);
  }

  /** A number from 0 up to, but without, 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whether something of this probability happens. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** A number between two bounds; small ones are more frequent, as with waiting times. */
  skewed(min: number, max: number): number {
    return min + (max - min) * this.next() * this.next();
  }

  /** A whole number between two bounds, both included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)] as T;
  }

  /** A commit id that belongs to a label: asked again, it is the same. */
  sha(label: string): string {
    return createHash('sha1').update(`${this.key}\n${label}`).digest('hex');
  }
}
