import { logger } from '#kernel/log/logger.js';
import { unavailable, type HttpError } from '#kernel/http/errors.js';
import { WrongAnswer } from './object-storage.js';

const LOG_EVERY_MS = 60_000;
const RETRY_AFTER_S = 10;
let loggedAt = -Infinity;

/** Whether an object store has refused a request, did not answer it, or not as it should. The SDK of S3 marks its errors by `$metadata`. */
export const isStoreRefusal = (error: unknown): boolean =>
  error instanceof WrongAnswer || (error instanceof Error && '$metadata' in error);

/** Returns 503 for such a failure. They are logged once a minute together: an unreachable store fails every request. */
export function storeRefusal(error: unknown, now = Date.now()): HttpError {
  if (now - loggedAt >= LOG_EVERY_MS) {
    loggedAt = now;
    logger.error({ error }, 'The object store does not answer as it should');
  }
  return unavailable(RETRY_AFTER_S);
}
