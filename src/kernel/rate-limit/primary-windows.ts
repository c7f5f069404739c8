import type { PrimaryLink } from '#kernel/cluster/primary-link.js';
import type { Window, WindowStore } from './memory-windows.js';

/** Windows that the primary counts for all processes of this machine. */
export class PrimaryWindows implements WindowStore {
  constructor(private readonly link: PrimaryLink) {}

  hit(key: string, periodMs: number, weight = 1): Promise<Window> {
    return this.link.ask('hit', [key, periodMs, weight]);
  }

  look(key: string): Promise<Window | null> {
    return this.link.ask('look', [key]);
  }
}
