import { sortedPlaces } from './sorted-places.js';

/** The room that the entries of an archive take up: they may not share any of it. */
export class Extents {
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private sorted = new Float64Array();

  /** Adds an entry that begins there and has that many bytes at least. */
  add(start: number, length: number): void {
    this.starts.push(start);
    this.lengths.push(length);
  }

  /** Whether all of them lie apart from each other and before `limit`; `endOf` may be asked then. */
  async settle(limit: number): Promise<boolean> {
    const { starts, lengths } = this;
    const order = await sortedPlaces(
      starts.length,
      (one, other) => (starts[one] as number) - (starts[other] as number),
    );
    this.sorted = new Float64Array(order.length + 1);
    for (const [index, place] of order.entries()) this.sorted[index] = starts[place] as number;
    this.sorted[order.length] = limit;
    return order.every(
      (place, index) =>
        (starts[place] as number) + (lengths[place] as number) <= (this.sorted[index + 1] as number),
    );
  }

  /** Where the entry that begins at `start` ends at the latest. */
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
