import { errorCode } from '#kernel/database/transactions.js';
import { RecordRefused } from '#core/exchange/record-refused.js';

/** Values that do not fit (22), broken constraints (23), rows that are too large for an index (54), and what triggers refuse. */
const SQLSTATES = /^(22|23|54)[0-9A-Z]{3}$|^P0001$/;

/** Whether a record is to blame for an error, so that it may be left out; anything else is nobody's fault, or ours. */
export function isOfData(error: unknown): boolean {
  if (error instanceof RecordRefused || error instanceof TypeError || error instanceof RangeError)
    return true;
  return SQLSTATES.test(errorCode(error) ?? '');
}
