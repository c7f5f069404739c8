import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, gitText, gitTells } from './git.js';

/** Returns whether a branch exists. `branch` must be a valid name. */
export const hasBranch = (repositoryPath: string, branch: string): Promise<boolean> =>
  gitTells(repositoryPath, ['show-ref', '--verify', '--quiet', '--', `refs/heads/${branch}`]);

/** Returns whether a repository has any branch. */
export const hasBranches = async (repositoryPath: string): Promise<boolean> =>
  (await gitText(repositoryPath, ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads/'])) !== '';

/** Returns whether HEAD may name a branch: one that exists, or any while there is none. `branch` must be a valid name. */
export const mayBeHead = async (repositoryPath: string, branch: string): Promise<boolean> =>
  (await hasBranch(repositoryPath, branch)) || !(await hasBranches(repositoryPath));

/** Returns whether a repository has any ref; without refs it is empty. */
export const hasRefs = async (repositoryPath: string): Promise<boolean> =>
  (await gitText(repositoryPath, ['for-each-ref', '--count=1', '--format=%(refname)'])) !== '';

/**
 * Reads HEAD: `ref: <name>` or an id. Names end only at ASCII white space; what `trim` takes away besides may
 * belong to them.
 */
export const readHead = async (repositoryPath: string): Promise<string> =>
  (await readFile(join(repositoryPath, 'HEAD'), 'utf8')).replace(/[ \t\r\n]+$/, '');

/** Returns whether HEAD names a branch; usually without a git process. */
export const isHead = (repositoryPath: string, branch: string): Promise<boolean> =>
  readHead(repositoryPath).then(
    (head) => head === `ref: refs/heads/${branch}`,
    () => false,
  );

/** Points HEAD to a branch, which need not exist. `branch` must be a valid name. */
export async function pointHead(repositoryPath: string, branch: string): Promise<void> {
  await git(repositoryPath, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
}
