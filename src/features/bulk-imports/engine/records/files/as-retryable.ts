import { errorCode } from '#kernel/database/transactions.js';
import { SourceBusy } from '../../../source/source-errors.js';
import type { ImportLimits } from '../../import-limits.js';

/** Damaged files and full disks may be better the next time; every other error stays what it is. */
export function asRetryable(error: unknown, { damagedPauseMs, diskFullPauseMs }: ImportLimits): unknown {
  const code = errorCode(error);
  if (code?.startsWith('Z_') === true)
    return new SourceBusy('The file of the source is damaged', 'damaged file', damagedPauseMs);
  if (code === 'ENOSPC') return new SourceBusy('The disk is full', 'full disk', diskFullPauseMs);
  return error;
}
