import type { Response } from 'express';

/** Tells whether nothing has moved between us and a client for too long. */
export class Stillness {
  private moved = 0;
  private since = Date.now();

  constructor(
    private readonly response: Response,
    private readonly idleMs: number,
  ) {}

  /** Ask every few seconds. */
  isTooLong(now: number): boolean {
    const { socket } = this.response;
    const moved = (socket?.bytesRead ?? 0) + (socket?.bytesWritten ?? 0);
    if (moved !== this.moved) {
      this.moved = moved;
      this.since = now;
      return false;
    }
    return now - this.since >= this.idleMs;
  }

  /** How often to ask. */
  get everyMs(): number {
    return Math.max(50, Math.min(this.idleMs / 8, LOOK_EVERY_MS));
  }
}

const LOOK_EVERY_MS = 5_000;
