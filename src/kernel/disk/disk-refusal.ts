import { logger } from '#kernel/log/logger.js';
import { unavailable, type HttpError } from '../http/errors.js';

/** Error codes of a disk that accepts no writes, or no more of a file, or is not there. */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'ENODEV']);

const LOG_EVERY_MS = 60_000;
const RETRY_AFTER_S = 10;
let loggedAt = -Infinity;

/** Whether the error means that a disk refused a write, or is not there. */
export const isDiskRefusal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CODES.has(error.code);

/**
 * Returns 503 for a failed disk write. All such failures are logged once a minute together, because a full
 * disk fails every request.
 */
export function diskRefusal(error: unknown, now = Date.now()): HttpError {
  if (now - loggedAt >= LOG_EVERY_MS) {
    loggedAt = now;
    logger.error({ error }, 'The disk rejects writes');
  }
  return unavailable(RETRY_AFTER_S);
}
