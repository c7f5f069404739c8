import { Unavailable } from '../errors.js';

/** Bytes of a body that are never refused for what others hold. */
const FREE = 64 * 1024;

/**
 * Bounds what bodies hold together until they have been dealt with, however slowly they come: beyond that large ones are refused, so that small
 * ones still find room.
 */
export class BodyBudget {
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** Lets `work` read a body, which tells `watch` of each piece. @throws 503 from `watch` when too much is held already */
  async use<T>(work: (watch: (bytes: number) => void) => Promise<T>): Promise<T> {
    let size = 0;
    try {
      return await work((bytes) => {
        const before = beyond(size);
        size += bytes;
        this.held += beyond(size) - before;
        if (this.held > this.maxBytes && size > FREE) throw Unavailable(5);
      });
    } finally {
      this.held -= beyond(size);
    }
  }
}

const beyond = (size: number): number => Math.max(0, size - FREE);
