import { errorCode } from '#kernel/database/transactions.js';
import { SourceBusy } from '../../../source/source-errors.js';
import type { ImportLimits } from '../../import-limits.js';

/** Makes corrupt files and full disks retryable; returns other errors unchanged. */
export function asRetryable(error: unknown, { damagedPauseMs, diskFullPauseMs }: ImportLimits): unknown {
  const code = errorCode(error);
  if (code?.startsWith('Z_') === true)
    return new SourceBusy('The file of the source is damaged', 'damaged file', damagedPauseMs);
  if (code === 'ENOSPC') return new SourceBusy('The disk is full', 'full disk', diskFullPauseMs);
  return error;
}
