import { GitFailure } from '#core/repositories/git/git-failure.js';

/** The move cannot go on: it ends with this text. */
export class MoveFailure extends Error {
  override readonly name = 'MoveFailure';
}

/** Longest text that is kept with a move. */
const MAX_LENGTH = 2_000;

/** What file systems answer and sockets do not; too many open files pass. */
const DISK_CODES = new Set(
  'EACCES EDQUOT EEXIST EFBIG EIO EISDIR ELOOP ENAMETOOLONG ENODEV ENOENT ENOSPC ENOTDIR ENOTEMPTY EPERM EROFS EXDEV'.split(
    ' ',
  ),
);

/**
 * Why a move must end because of an error: what is wrong with repositories or disks will not pass by trying again. Null for everything else
 * (a lost database, a run that was taken away), which the queue tries again.
 */
export function failureText(error: unknown): string | null {
  if (error instanceof MoveFailure || error instanceof GitFailure) return error.message.slice(0, MAX_LENGTH);
  const { code = '', syscall, message } = (error ?? {}) as NodeJS.ErrnoException;
  const isOfDisk = DISK_CODES.has(code) && syscall !== undefined && syscall !== 'connect';
  return isOfDisk ? message.slice(0, MAX_LENGTH) : null;
}
