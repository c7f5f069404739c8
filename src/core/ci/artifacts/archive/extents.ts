import { sortedPositions } from './sorted-positions.js';

/** Byte ranges of the entries of an archive, which must not overlap. */
export class Extents {
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private sorted = new Float64Array();

  /** Adds an entry by its start and its minimum length. */
  add(start: number, length: number): void {
    this.starts.push(start);
    this.lengths.push(length);
  }

  /** Returns whether all entries are disjoint and end before `limit`; `endOf` is valid afterwards. */
  async settle(limit: number): Promise<boolean> {
    const { starts, lengths } = this;
    const order = await sortedPositions(
      starts.length,
      (one, other) => (starts[one] as number) - (starts[other] as number),
    );
    this.sorted = new Float64Array(order.length + 1);
    for (const [index, position] of order.entries()) this.sorted[index] = starts[position] as number;
    this.sorted[order.length] = limit;
    return order.every(
      (position, index) =>
        (starts[position] as number) + (lengths[position] as number) <= (this.sorted[index + 1] as number),
    );
  }

  /** Returns the latest possible end of the entry that begins at `start`. */
  endOf(start: number): number {
    let low = 0;
    let high = this.sorted.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sorted[middle] as number) <= start) low = middle + 1;
      else high = middle;
    }
    return this.sorted[low] as number;
  }
}
