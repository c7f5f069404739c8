import { errorCode } from '#kernel/database/statements/database-errors.js';
import { isDiskRefusal } from '#kernel/disk/disk-refusal.js';
import { HttpError } from '#kernel/http/errors.js';
import { SourceBusy } from '../../source/source-errors.js';
import type { ImportLimits } from '../import-limits.js';

/**
 * Makes corrupt files, disks that accept no writes and what is unavailable here for a while retryable; returns
 * other errors unchanged.
 */
export function asRetryable(error: unknown, { damagedPauseMs, diskFullPauseMs }: ImportLimits): unknown {
  if (errorCode(error)?.startsWith('Z_') === true)
    return new SourceBusy('The file of the source is damaged', 'damaged file', damagedPauseMs);
  if (isDiskRefusal(error)) return new SourceBusy('The disk rejects writes', 'full disk', diskFullPauseMs);
  if (error instanceof HttpError && error.status === 503)
    return new SourceBusy(error.message, 'unavailable', diskFullPauseMs);
  return error;
}
