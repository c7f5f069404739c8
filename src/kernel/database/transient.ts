import { errorCode } from './transactions.js';

/** SQLSTATEs and socket errors that mean "not now": connection lost or refused, shutdown, time-out, too many connections. */
const TRANSIENT = /^(08|57P|53|55P03|57014|40001|40P01|25P0[34]|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT)/;
const TRANSIENT_TEXT =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|Cannot use a pool after/;

/** Whether an error says that the database, or another service, does not answer now and may do so in a moment. */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined && TRANSIENT.test(code)) return true;
  // The socket of a database that is down: a missing file otherwise is nobody's passing trouble.
  if (code === 'ENOENT' && (error as { syscall?: unknown }).syscall === 'connect') return true;
  return error instanceof Error && TRANSIENT_TEXT.test(error.message);
}
