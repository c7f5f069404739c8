import { callerKey } from '#kernel/rate-limit/caller-key.js';
import { unavailable } from '../errors.js';

/** Limit of event streams of one user, or of one client without an account: each reads its record twice a second. */
export const MOST_STREAMS = 20;

const open = new Map<string, number>();

/**
 * Counts an event stream of the current caller until the returned function is called, once. @throws 503 if the caller has too
 * many open
 */
export function enterStream(): () => void {
  const holder = callerKey();
  const count = open.get(holder) ?? 0;
  if (count >= MOST_STREAMS) throw unavailable(5);
  open.set(holder, count + 1);
  return () => {
    const left = (open.get(holder) ?? 0) - 1;
    if (left > 0) open.set(holder, left);
    else open.delete(holder);
  };
}
