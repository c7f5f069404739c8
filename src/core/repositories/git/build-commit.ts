import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { BadRequest } from '#kernel/http/errors.js';
import { git, gitText } from './git.js';
import { NO_OBJECT } from '../pushes/ref-change.js';

/** A change of one path of a tree. */
export type TreeChange =
  | { readonly path: string; readonly content: Buffer; readonly mode?: '100644' | '100755' }
  /** An object that the repository has already. */
  | { readonly path: string; readonly blob: string; readonly mode: string }
  | { readonly path: string; readonly remove: true };

/** Who stands in a commit, and when. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Default: now. */
  readonly date?: Date;
}

/** A commit to be made. */
export interface NewCommit {
  /** Full ids of the parents; none makes a first commit. */
  readonly parents: readonly string[];
  readonly changes: readonly TreeChange[];
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** What a path may not have: git's own folder in any spelling that a file system may take for it, and steps upwards. */
const FORBIDDEN_PART = /^(\.{1,2}|\.git|git~\d+|\.git[ .\u200c]*)$/i;

/** Whether a text can be the path of a file in a repository. */
export function isFilePath(path: string): boolean {
  if (path === '' || path.length > 4096 || path.includes('\0')) return false;
  return path.split('/').every((part) => part !== '' && part.length <= 255 && !FORBIDDEN_PART.test(part));
}

/**
 * Writes a commit whose tree is that of the first parent with the changes made in their order; no ref names it yet.
 * @returns its id. @throws 400 for a path that cannot be
 */
export async function buildCommit(repositoryPath: string, commit: NewCommit): Promise<string> {
  for (const { path } of commit.changes)
    if (!isFilePath(path)) throw BadRequest(`invalid path: '${path.slice(0, 200)}'`);
  const index = join(tmpdir(), `forgeplane-index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    const [parent] = commit.parents;
    if (parent !== undefined) await git(repositoryPath, ['read-tree', '--end-of-options', parent], { env });
    const lines = await Promise.all(commit.changes.map((change) => indexLine(repositoryPath, change)));
    if (lines.length > 0)
      await git(repositoryPath, ['update-index', '--replace', '-z', '--index-info'], {
        env,
        input: lines.join(''),
      });
    const tree = await gitText(repositoryPath, ['write-tree'], { env });
    return await gitText(
      repositoryPath,
      ['commit-tree', tree, ...commit.parents.flatMap((id) => ['-p', id])],
      {
        input: commit.message,
        env: { ...signed('AUTHOR', commit.author), ...signed('COMMITTER', commit.committer) },
      },
    );
  } finally {
    await rm(index, { force: true });
  }
}

async function indexLine(repositoryPath: string, change: TreeChange): Promise<string> {
  if ('remove' in change) return `0 ${NO_OBJECT}\t${change.path}\0`;
  if ('blob' in change) return `${change.mode} ${change.blob}\t${change.path}\0`;
  const blob = await gitText(repositoryPath, ['hash-object', '-w', '--stdin'], { input: change.content });
  return `${change.mode ?? '100644'} ${blob}\t${change.path}\0`;
}

/** Line ends and angle brackets would make other headers of it. */
const clean = (text: string): string => text.replace(/[\p{Cc}<>]/gu, '').trim() || 'unknown';

function signed(
  role: 'AUTHOR' | 'COMMITTER',
  { name, email, date = new Date() }: Signature,
): Record<string, string> {
  return {
    [`GIT_${role}_NAME`]: clean(name),
    [`GIT_${role}_EMAIL`]: clean(email),
    [`GIT_${role}_DATE`]: `${Math.floor(date.getTime() / 1000)} +0000`,
  };
}
