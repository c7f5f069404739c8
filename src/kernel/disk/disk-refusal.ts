import { logger } from '#kernel/log/logger.js';
import { unavailable, type HttpError } from '../http/errors.js';

/** Errors of a disk that takes nothing, or no more of a file. */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

const LOG_EVERY_MS = 60_000;
const RETRY_AFTER_S = 10;
let loggedAt = -Infinity;

/** Whether a disk has refused to take what was written to it. */
export const isDiskRefusal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CODES.has(error.code);

/** 503 for what a disk does not take now. All of it together is logged once a minute: a full disk refuses everybody. */
export function diskRefusal(error: unknown, now = Date.now()): HttpError {
  if (now - loggedAt >= LOG_EVERY_MS) {
    loggedAt = now;
    logger.error({ error }, 'The disk does not take what is written');
  }
  return unavailable(RETRY_AFTER_S);
}
