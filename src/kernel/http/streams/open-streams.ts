import { requestContext } from '#kernel/log/request-context.js';
import { clientKey } from '#kernel/rate-limit/client-key.js';
import { unavailable } from '../errors.js';

/** Limit of event streams of one user, or of one client without an account: each reads its record twice a second. */
export const MOST_STREAMS = 20;

const open = new Map<string, number>();

/**
 * Counts an event stream of the current caller until the returned function is called, once. @throws 503 if the caller has too
 * many open
 */
export function enterStream(): () => void {
  const userId = requestContext.getStore()?.userId;
  const holder = userId === undefined ? clientKey() : `user:${userId}`;
  const count = open.get(holder) ?? 0;
  if (count >= MOST_STREAMS) throw unavailable(5);
  open.set(holder, count + 1);
  return () => {
    const left = (open.get(holder) ?? 0) - 1;
    if (left > 0) open.set(holder, left);
    else open.delete(holder);
  };
}
