import { errorCode } from '#kernel/database/statements/database-errors.js';
import { RecordRefused } from '#core/exchange/record-refused.js';

/**
 * SQLSTATEs of values that do not fit (22), constraint violations (23), rows too large for an index (54), and
 * errors raised by triggers.
 */
const SQLSTATES = /^(22|23|54)[0-9A-Z]{3}$|^P0001$/;

/** Returns whether an error is caused by a record, which can be skipped; other errors are not. */
export function isOfData(error: unknown): boolean {
  if (error instanceof RecordRefused || error instanceof TypeError || error instanceof RangeError)
    return true;
  return SQLSTATES.test(errorCode(error) ?? '');
}
