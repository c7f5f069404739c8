import { git } from '#core/repositories/git/git.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { MoveFailure } from '../run/move-failure.js';
import type { OpenCopy } from './open-copy.js';
import { digestAt } from './read-refs.js';

/** Walking all commits and trees of a large repository takes long. */
const FSCK_MS = 12 * 3_600_000;

/**
 * Verifies that a copy has the refs and HEAD of its source, and every object that they reach. The content of
 * files was already verified while copying. @throws MoveFailure
 */
export async function verifyCopy(copy: OpenCopy, signal: AbortSignal): Promise<void> {
  const digest = await digestAt(copy.staged, signal);
  if (digest !== copy.digest) throw checksumMismatch(copy, digest);
  try {
    await git(copy.staged, ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'], {
      signal,
      timeoutMs: FSCK_MS,
      kind: 'long',
    });
  } catch (error) {
    if (!(error instanceof GitFailure) || error.reason !== 'exit') throw error;
    const said = error.stderr.trim().slice(0, 500) || 'objects are missing';
    throw new MoveFailure(`The ${copy.label} repository is incomplete: ${said}`);
  }
}

/** Creates the error for refs that differ from what was copied. */
export const checksumMismatch = ({ label, digest }: OpenCopy, found: string): MoveFailure =>
  new MoveFailure(`Failed to verify ${label} repository checksum from ${digest} to ${found}`);
