import { git } from '#core/repositories/git/git.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { MoveFailure } from '../run/move-failure.js';
import type { OpenCopy } from './open-copy.js';
import { digestAt } from './read-refs.js';

/** A walk over all commits and trees of a large repository takes long. */
const FSCK_MS = 12 * 3_600_000;

/**
 * Checks that a copy has the refs and HEAD of its source, and every object that they reach. That the files with the objects are what they
 * were has been proven while they were copied. @throws MoveFailure
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
    throw new MoveFailure(`The ${copy.label} repository is not whole: ${said}`);
  }
}

/** The refs are not (any more) what was copied. */
export const checksumMismatch = ({ label, digest }: OpenCopy, found: string): MoveFailure =>
  new MoveFailure(`Failed to verify ${label} repository checksum from ${digest} to ${found}`);
