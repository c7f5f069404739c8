import type { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { rm, stat } from 'node:fs/promises';

/** Number of paths that are remembered. */
const MAX_STUCK = 1_000;

/** Removes what ended processes have left. What cannot be removed is logged once, and keeps nothing else from being removed. */
export class LeftOvers {
  private readonly stuck = new LRUCache<string, true>({ max: MAX_STUCK });

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  /** Removes a file or folder, even while an ending process still writes to it; returns whether it is gone. */
  async remove(path: string): Promise<boolean> {
    try {
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      this.stuck.delete(path);
      return true;
    } catch (error) {
      this.tell(path, error);
      return false;
    }
  }

  private tell(path: string, error: unknown): void {
    if (this.stuck.has(path)) return;
    this.stuck.set(path, true);
    this.logger.warn(`${path} cannot be removed: ${String(error)}`);
  }
}

/** Returns how long ago a file or folder was changed, in milliseconds; 0 if it is gone. */
export async function ageOf(path: string): Promise<number> {
  const entry = await stat(path).catch(() => null);
  return entry ? Date.now() - entry.mtimeMs : 0;
}
