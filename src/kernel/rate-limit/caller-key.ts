import { requestContext } from '#kernel/log/request-context.js';
import { clientKey } from './client-key.js';

/** Key of the caller that causes the current work: the user of the request or, before and without one, its client. */
export function callerKey(): string {
  const userId = requestContext.getStore()?.userId;
  return userId === undefined ? clientKey() : `user:${userId}`;
}
