/** Pseudo-random numbers from 0 to below 1 by seed (Mulberry32). */
export function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random choices by seed. */
export class Chance {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = chanceOf(seed);
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  /** A random item of a list, which is not empty. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** About half of the items. */
  some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.oneIn(2));
  }

  /** The path of a random existing object; of a missing one if there is none. */
  pathOf<T extends object>(at: string, list: readonly T[], number: keyof T): string {
    return `${at}/${String(list.length > 0 ? this.of(list)[number] : 0)}`;
  }
}
