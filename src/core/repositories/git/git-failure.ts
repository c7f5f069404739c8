/** Messages of git about a disk that refuses writes; with blanks, which names of refs and most folders do not have. */
const DISK =
  /No space left|File too large|Read-only file system|Input\/output error|Permission denied|quota exceeded/i;

/** Thrown when a git process fails, times out or exceeds its output limit. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  /**
   * Set for failures that a request answers with 503, as for any unavailable dependency: a limit of git was
   * reached, the repository has just moved to another storage, or the disk refuses writes.
   */
  readonly code: string | undefined;

  /** `command` is the git command without operands, which may be unfit for logs. */
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
