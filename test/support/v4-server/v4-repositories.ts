import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkingCopy } from '../git.js';

/** Bare repositories of a v4 server in a separate folder, and the commits that its records name. */
export interface V4Repositories {
  readonly root: string;
  readonly commits: {
    readonly first: string;
    readonly feature: string;
    readonly fixed: string;
    readonly merge: string;
    /** In no branch: only a merge request from a fork that was removed has it. */
    readonly forked: string;
  };
  remove(): void;
}

/** Creates them: code with an open and a merged branch, a wiki, and a project without pushes. */
export async function makeRepositories(): Promise<V4Repositories> {
  const root = mkdtempSync(join(tmpdir(), 'forgeplane-v4-'));
  const code = await new WorkingCopy().init();
  const wiki = await new WorkingCopy().init();
  const snippet = await new WorkingCopy().init();
  try {
    const first = await code.commit({ 'app.txt': 'one\ntwo\nthree\n' }, 'First');
    await code.git('tag', '-a', 'v1.0', '-m', 'One');
    await code.git('checkout', '--quiet', '-b', 'feature');
    const feature = await code.commit({ 'new.txt': 'new\n' }, 'Feature');
    await code.git('checkout', '--quiet', '-b', 'fix', 'main');
    const fixed = await code.commit({ 'app.txt': 'one\n2\nthree\n' }, 'Fix');
    await code.git('checkout', '--quiet', '-b', 'patch-1', 'main');
    const forked = await code.commit({ 'patch.txt': 'patch\n' }, 'Patch');
    await code.git('checkout', '--quiet', 'main');
    await code.git('merge', '--quiet', '--no-ff', '-m', 'Merge fix', 'fix');
    const merge = await code.git('rev-parse', 'HEAD');
    await wiki.commit({ 'home.md': 'Welcome\n' }, 'Home');
    await code.git('clone', '--quiet', '--bare', code.path, join(root, 'acme/web.git'));
    const bare = ['-C', join(root, 'acme/web.git'), 'update-ref'] as const;
    await code.git(...bare, 'refs/merge-requests/5/head', forked);
    await code.git(...bare, '-d', 'refs/heads/patch-1');
    await code.git('clone', '--quiet', '--bare', wiki.path, join(root, 'acme/web.wiki.git'));
    await snippet.commit({ 'run.sh': 'echo 0\n' }, 'Begin');
    await snippet.commit({ 'run.sh': 'echo 1\n', 'sub/more.sh': 'echo 2\n' }, 'Go on');
    await snippet.git('clone', '--quiet', '--bare', snippet.path, join(root, 'acme/web/snippets/31.git'));
    await code.git('init', '--quiet', '--bare', join(root, 'acme/tools/empty.git'));
    const remove = (): void => rmSync(root, { recursive: true, force: true });
    return { root, commits: { first, feature, fixed, merge, forked }, remove };
  } finally {
    code.remove();
    wiki.remove();
    snippet.remove();
  }
}
