import { GitFailure } from '#core/repositories/git/git-failure.js';

/** Thrown if the move cannot continue: it ends with this text. */
export class MoveFailure extends Error {
  override readonly name = 'MoveFailure';
}

/** Limit of characters of the text stored with a move. */
const MAX_LENGTH = 2_000;

/** Error codes of file systems as opposed to sockets; not for too many open files, which is temporary. */
const DISK_CODES = new Set(
  'EACCES EDQUOT EEXIST EFBIG EIO EISDIR ELOOP ENAMETOOLONG ENODEV ENOENT ENOSPC ENOTDIR ENOTEMPTY EPERM EROFS EXDEV'.split(
    ' ',
  ),
);

/**
 * Returns why an error must end a move: errors of repositories or disks will not go away by retrying. Null
 * for all others (a lost database, a run that was taken over), which the queue retries.
 */
export function failureText(error: unknown): string | null {
  if (error instanceof MoveFailure || error instanceof GitFailure) return error.message.slice(0, MAX_LENGTH);
  const { code = '', syscall, message } = (error ?? {}) as NodeJS.ErrnoException;
  const isOfDisk = DISK_CODES.has(code) && syscall !== undefined && syscall !== 'connect';
  return isOfDisk ? message.slice(0, MAX_LENGTH) : null;
}
