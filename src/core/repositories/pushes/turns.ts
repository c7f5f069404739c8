import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '#kernel/http/errors.js';
import { FairPool } from '#kernel/processes/fair-pool.js';
import { callerKey } from '#kernel/rate-limit/caller-key.js';
import { RefsHaveMoved } from './push-errors.js';

/** Time that a request waits for earlier ones, and for faster pushes and processes. */
const PATIENCE_MS = 30_000;
/** One caller may take half of it. */
const MAX_WAITING = 200;
const LIMITS = { width: 1, share: 1, waiting: MAX_WAITING, waitMs: PATIENCE_MS };
const PAUSE_MS = 10;
const MAX_PAUSES = 20;
const RETRY_AFTER_S = 5;

/**
 * Serializes the requests of this process that write to the same branch, of callers in turn; retries when pushes or other
 * processes were faster.
 */
export class Turns {
  private readonly turns = new Map<string, { readonly slot: FairPool; users: number }>();

  /**
   * Runs `work`, and again if the refs have moved. @throws 503 if others are always faster, or too many are
   * waiting
   */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    const turn = this.turns.get(key) ?? { slot: new FairPool(LIMITS), users: 0 };
    this.turns.set(key, turn);
    turn.users += 1;
    try {
      const end = await turn.slot.take({ holders: [callerKey()] });
      try {
        return await tryOften(work, deadline);
      } finally {
        end();
      }
    } finally {
      turn.users -= 1;
      if (turn.users === 0) this.turns.delete(key);
    }
  }
}

async function tryOften<T>(work: () => Promise<T>, deadline: number): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    if (performance.now() > deadline) throw unavailable(RETRY_AFTER_S);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RefsHaveMoved)) throw error;
      await sleep(PAUSE_MS * Math.min(attempt, MAX_PAUSES) * (0.5 + Math.random()));
    }
  }
}
