import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, gitText, gitTells } from './git.js';

/** Whether a repository has the branch. `branch` must be a valid name. */
export const hasBranch = (repositoryPath: string, branch: string): Promise<boolean> =>
  gitTells(repositoryPath, ['show-ref', '--verify', '--quiet', '--', `refs/heads/${branch}`]);

/** Whether a repository has any branch. */
export const hasBranches = async (repositoryPath: string): Promise<boolean> =>
  (await gitText(repositoryPath, ['for-each-ref', '--count=1', '--format=%(refname)', 'refs/heads/'])) !== '';

/** Whether a repository has any ref: what has none holds nothing. */
export const hasRefs = async (repositoryPath: string): Promise<boolean> =>
  (await gitText(repositoryPath, ['for-each-ref', '--count=1', '--format=%(refname)'])) !== '';

/** Whether HEAD names a branch, without asking git: nearly always it does. */
export const isHead = (repositoryPath: string, branch: string): Promise<boolean> =>
  readFile(join(repositoryPath, 'HEAD'), 'utf8').then(
    (head) => head.trim() === `ref: refs/heads/${branch}`,
    () => false,
  );

/** Makes HEAD name a branch, whether that exists yet or not. `branch` must be a valid name. */
export async function pointHead(repositoryPath: string, branch: string): Promise<void> {
  await git(repositoryPath, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
}
