import { isDiskRefusal } from '#kernel/disk/disk-refusal.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { SourceBusy, SourceRefused } from '../../source/source-errors.js';

const RETRY_MS = 30_000;

/** Error for a repository that was just listed and is not found: the next attempt finds out whether it still exists. */
export const notSent = (): SourceBusy =>
  new SourceBusy('The source instance listed a repository, but does not send it', 'git', RETRY_MS);

/** The repository does not exist at the source. */
const MISSING = /returned error: 404|repository .*not found/i;
/** It exists, but the token has no access. */
const FORBIDDEN =
  /returned error: 403|Authentication failed|could not read (Username|Password)|returned error: 401/i;
/** Temporary errors of the source or the network. */
const BUSY =
  /returned error: (408|429|5\d\d)|Could not resolve|Failed to connect|Couldn't connect|timed out|too slow|Connection|early EOF|hung up|RPC failed|transfer closed|SSL|TLS|certificate|Empty reply|unexpected disconnect|HTTP\/2/i;

/** A helper process of git was killed, for example because the machine had no memory left. */
const KILLED = /died of signal/;

/** Responses that may have a `Retry-After` header. */
const TOLD_WHEN = /returned error: (429|503)/;

/**
 * Converts a failure of git to an error of the source; null if there is no such repository. Failures of a disk
 * here are returned unchanged. `askPause` returns the delay that a busy source requests.
 */
export async function gitProblem(error: unknown, askPause: () => Promise<number>): Promise<Error | null> {
  if (!(error instanceof GitFailure)) return error instanceof Error ? error : new Error(String(error));
  const { reason, exitCode, stderr } = error;
  if (reason === 'timeout')
    return new SourceBusy('The source instance sends its repository too slowly', 'git', RETRY_MS);
  if (reason !== 'exit') return new SourceRefused(`The repository cannot be read (${reason})`);
  if (MISSING.test(stderr)) return null;
  if (FORBIDDEN.test(stderr)) return new SourceRefused('The source instance refuses its repository', 403);
  // The disk here, not the source: the run waits until it accepts writes again.
  if (isDiskRefusal(error)) return error;
  const text = stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  if (BUSY.test(stderr) || exitCode === null || KILLED.test(stderr)) {
    const pauseMs = TOLD_WHEN.test(stderr) ? await askPause() : RETRY_MS;
    return new SourceBusy(`The repository could not be fetched: ${text}`, 'git', pauseMs);
  }
  return new SourceRefused(`The repository could not be fetched: ${text}`);
}
