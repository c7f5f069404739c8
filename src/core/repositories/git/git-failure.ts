/** What git says of a disk that does not take what it writes. */
const DISK =
  /No space left|File too large|Read-only file system|Input\/output error|Permission denied|quota/i;

/** A git process ended with an error, took too long or wrote too much. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  /**
   * A request that git has no time or room for answers 503, as for every dependency that does not answer; so do one whose repository has
   * just been moved to another storage, and one that writes to a disk which takes nothing.
   */
  readonly code: string | undefined;

  /** `command` is git's, without operands: those may hold what does not belong into logs. */
  constructor(
    readonly command: string,
    readonly reason: 'exit' | 'timeout' | 'too-large' | 'spawn',
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    super(`git ${command}: ${reason}${exitCode === null ? '' : ` ${exitCode}`}: ${stderr.slice(0, 500)}`);
    const isGone = stderr.startsWith('fatal: not a git repository');
    const isLate = reason === 'timeout' || reason === 'too-large' || isGone;
    this.code = isLate ? 'ETIMEDOUT' : DISK.test(stderr) ? 'ENOSPC' : undefined;
  }
}
