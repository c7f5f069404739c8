import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitFailure } from '../git-failure.js';
import { RepositoryDamaged } from './repository-damaged.js';
import { gitOwner } from '../processes/git-owner.js';

/**
 * What git says when files of a repository are missing or cannot be read. Not `bad object`: that is a commit which somebody has named, and which
 * may never have been there.
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
    // Blame is asked for files that trees have.
    'no such path .* in [0-9a-f]{40}',
    // The name of a ref; or what a commit has that is there.
    'bad object (?![0-9a-f]{40}$)|reference broken|[0-9a-f]{40} is not a valid object|object name .*\\^\\{tree\\}|single revision',
    'no such ref: HEAD|must point to a commit',
    'not a tree object|invalid object [0-9]{6}|bad tree|bad file$',
    '(unexpected|unterminated) line in .*packed-refs',
    'bad config line',
    'premature end of|file too short|early eof reading',
  ].join('|'),
  'im',
);

/** Git says this of a folder that has gone, and of one that lacks what makes it a repository. */
const NO_REPOSITORY = /not a git repository|arguments given outside repository/;

/** These read what comes from elsewhere too, or are there to find damage. */
const OTHERS: ReadonlySet<string> = new Set([
  ...['bundle', 'clone', 'fetch', 'fsck', 'gc', 'index-pack', 'ls-remote', 'remote', 'unpack-objects'],
]);

/** Whether what git has written to standard error speaks of damage, well as it may have ended. */
export const speaksOfDamage = (command: string, stderr: string): boolean =>
  stderr !== '' && !OTHERS.has(command) && DAMAGE.test(stderr);

/** What a failure of git means to the request that has asked: damage, or what it was. Jobs have their own ways with what they cannot read. */
export async function meaningOf(repositoryPath: string | null, failure: GitFailure): Promise<Error> {
  const { command, stderr } = failure;
  if (repositoryPath === null || !gitOwner().isRequest) return failure;
  return (await isDamage(repositoryPath, command, stderr))
    ? new RepositoryDamaged(repositoryPath, stderr)
    : failure;
}

/** The same for what was read without `readGit`: whether git speaks of damage, or finds no repository in a folder that is one. */
export const isDamage = async (repositoryPath: string, command: string, stderr: string): Promise<boolean> =>
  speaksOfDamage(command, stderr) || (NO_REPOSITORY.test(stderr) && (await isThere(repositoryPath)));

const isThere = (repositoryPath: string): Promise<boolean> =>
  access(join(repositoryPath, 'config')).then(
    () => true,
    () => false,
  );
