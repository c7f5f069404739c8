import type { Response } from 'express';

/** Detects that nothing has moved between this service and a client for too long. */
export class Stillness {
  private moved = 0;
  private since = performance.now();

  constructor(
    private readonly response: Response,
    private readonly idleMs: number,
  ) {}

  /** Call it every few seconds. */
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

  /** Interval for calling it. */
  get everyMs(): number {
    return Math.max(50, Math.min(this.idleMs / 8, LOOK_EVERY_MS));
  }
}

const LOOK_EVERY_MS = 5_000;
