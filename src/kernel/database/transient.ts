import { errorCode, isStaleStatement } from './statements/database-errors.js';

/**
 * SQLSTATEs and socket errors of temporary failures: connection lost or refused, shutdown, timeout, too many
 * connections, a standby that has not become the primary yet.
 */
const TRANSIENT =
  /^(08|57P|53|55P03|57014|40001|40P01|25006|25P0[34]|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)/;
/**
 * SQLSTATEs of a server that refuses a connection of a process that has had some: its operator changes a password or
 * `pg_hba.conf`, or has taken the database away for a moment. A start names the variable to be corrected instead.
 */
const REFUSED = /^(28|3D000|55000)/;
const TRANSIENT_TEXT =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable|Cannot use a pool after/;

/** Whether an error means that the database, or another service, is temporarily unavailable. */
export function isTransient(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined && (TRANSIENT.test(code) || REFUSED.test(code))) return true;
  if (isStaleStatement(error)) return true;
  // The socket of a stopped database: any other missing file is not a temporary failure.
  if (code === 'ENOENT' && (error as { syscall?: unknown }).syscall === 'connect') return true;
  return error instanceof Error && TRANSIENT_TEXT.test(error.message);
}

/** SQLSTATEs of a single statement or transaction: conflicts with others, time-outs, locks, stale statements. */
const OF_ONE_STATEMENT = /^(40|57014|55P03|26000|42P05|0A000)/;

/** Whether a temporary failure is one of the database, and not of the statement alone. */
export const isOutage = (error: unknown): boolean =>
  isTransient(error) && !OF_ONE_STATEMENT.test(errorCode(error) ?? '');

/** Whether a lock could not be acquired in time: lock_not_available. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03';
}
