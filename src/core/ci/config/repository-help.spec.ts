import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkingCopy } from '../../../../test/support/git.js';
import type { CompileContext } from './compile-context.js';
import { contextBy } from './compile-help.js';
import { repositoryHelp } from './repository-help.js';

type RepositoryContext = Pick<CompileContext, 'readFile' | 'changedFiles' | 'allFiles'>;

const repositoryContext = (...given: Parameters<typeof repositoryHelp>): RepositoryContext =>
  contextBy(repositoryHelp(...given));

describe('files of a commit for its configuration', () => {
  const work = new WorkingCopy();
  let path: string;
  let first: string;
  let sha: string;
  let context: RepositoryContext;

  beforeAll(async () => {
    await work.init();
    path = join(work.path, '.git');
    await work.git('checkout', '-q', '-B', 'main');
    first = await work.commit({ 'a.yml': 'a: 1', 'dir/b c.yml': 'b: "ü"' });
    await work.git('branch', 'base');
    symlinkSync('/etc/passwd', join(work.path, 'link.yml'));
    sha = await work.commit({ 'dir/b c.yml': 'b: 2', 'é.txt': '', 'huge.yml': 'x'.repeat(5_000_000) });
    await work.git('checkout', '-q', 'base');
    await work.commit({ 'other.txt': '' });
    context = repositoryContext(path, { sha, beforeSha: first });
  });
  afterAll(() => work.remove());

  it('reads files as they are in the commit', async () => {
    const names = [
      'a.yml',
      '/dir/b c.yml',
      'other.txt',
      'dir',
      '',
      '*.yml',
      '../a.yml',
      './a.yml',
      'x'.repeat(200_000),
      'a\0',
      'link.yml',
      'huge.yml',
      '--help',
    ];
    const found = await Promise.all(names.map((name) => context.readFile(name)));
    expect(found).toEqual(['a: 1', 'b: 2', ...names.slice(2).map(() => null)]);
    expect(await repositoryContext(path, { sha: first }).readFile('dir/b c.yml')).toBe('b: "ü"');
  });

  it('lists all files, and those that have changed', async () => {
    expect(await context.allFiles()).toEqual(['a.yml', 'dir/b c.yml', 'huge.yml', 'link.yml', 'é.txt']);
    const changed = ['dir/b c.yml', 'huge.yml', 'link.yml', 'é.txt'];
    expect(await context.changedFiles()).toEqual(changed);
    // Commits that are only on the other branch are not changes of this branch.
    expect(await context.changedFiles('base')).toEqual(changed);
    for (const ref of ['gone', '--output=x', 'base..main', ''.padEnd(40, '0')])
      expect([ref, await context.changedFiles(ref)]).toEqual([ref, null]);
  });

  it('has no changes without the previous commit', async () => {
    for (const beforeSha of ['0'.repeat(40), 'ab'.repeat(20)])
      expect(await repositoryContext(path, { sha, beforeSha }).changedFiles()).toBeNull();
  });
});
