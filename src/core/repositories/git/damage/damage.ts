import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitFailure } from '../git-failure.js';
import { RepositoryDamaged } from './repository-damaged.js';
import { gitOwner } from '../processes/git-owner.js';

/**
 * Messages of git about missing or unreadable files of a repository. Not `bad object`: a user may have named
 * a commit that never existed.
 */
const DAMAGE = new RegExp(
  [
    'is corrupt',
    'object file .* is empty',
    'inflate: ',
    'unable to (unpack|parse|read tree|read [0-9a-f]{40}|open object pack directory)',
    'could not read [0-9a-f]{40}',
    'cannot read .?[0-9a-f]{40}',
    'failed to (traverse|read object)',
    'packfile .* (does not match|is far too short|cannot be|claims to have|is version|not found)',
    '(index|pack) file .* (is too small|is corrupt|is version)',
    'wrong index v[0-9]',
    'bad offset|bad object header|sha1 mismatch|hash mismatch|sha1 file .* (is|has)',
    'garbage at end of loose object',
    'ignoring broken ref|bad ref refs/|missing object [0-9a-f]{40}',
    // Blame is only called for files that exist in trees.
    'no such path .* in [0-9a-f]{40}',
    // Not for an id that a user named, but for refs and for parts of existing commits.
    'bad object (?![0-9a-f]{40}$)|reference broken|[0-9a-f]{40} is not a valid object|object name .*\\^\\{tree\\}|single revision',
    'no such ref: HEAD|must point to a commit',
    'not a tree object|invalid object [0-9]{6}|bad tree|bad file$',
    '(unexpected|unterminated) line in .*packed-refs',
    'bad config line',
    'premature end of|file too short|early eof reading',
  ].join('|'),
  'im',
);

/** Git's message for a missing folder, or one that is not a repository. */
const NO_REPOSITORY = /not a git repository|arguments given outside repository/;

/** Commands that also read foreign data, or that look for damage. */
const OTHERS: ReadonlySet<string> = new Set([
  ...['bundle', 'clone', 'fetch', 'fsck', 'gc', 'index-pack', 'ls-remote', 'remote', 'unpack-objects'],
]);

/** Returns whether the standard error of git reports damage, even if it exited with 0. */
export const speaksOfDamage = (command: string, stderr: string): boolean =>
  stderr !== '' && !OTHERS.has(command) && DAMAGE.test(stderr);

/**
 * Converts a git failure for the request: damage, or the failure itself. Jobs handle unreadable repositories
 * in their own ways.
 */
export async function meaningOf(repositoryPath: string | null, failure: GitFailure): Promise<Error> {
  const { command, stderr } = failure;
  if (repositoryPath === null || !gitOwner().isRequest) return failure;
  return (await isDamage(repositoryPath, command, stderr))
    ? new RepositoryDamaged(repositoryPath, stderr)
    : failure;
}

/**
 * Returns the same for processes that do not use `readGit`: whether git reports damage, or finds no
 * repository in an existing one.
 */
export const isDamage = async (repositoryPath: string, command: string, stderr: string): Promise<boolean> =>
  speaksOfDamage(command, stderr) || (NO_REPOSITORY.test(stderr) && (await isThere(repositoryPath)));

const isThere = (repositoryPath: string): Promise<boolean> =>
  access(join(repositoryPath, 'config')).then(
    () => true,
    () => false,
  );
