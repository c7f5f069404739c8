/** A git process ended with an error, took too long or wrote too much. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  /**
   * A request that git has no time or room for answers 503, as for every dependency that does not answer; so does one whose repository has
   * just been moved to another storage.
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
    this.code = reason === 'timeout' || reason === 'too-large' || isGone ? 'ETIMEDOUT' : undefined;
  }
}
