import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { buildToken } from '../../../../support/builders/token.js';
import { gitUrl } from '../../../../support/git-http.js';
import { borrowApi } from '../../../../support/shared-api.js';

/** Git reads objects that it would never write: old programs wrote them, and anybody can push some of them. */
describe('objects that other programs have written', () => {
  let api: TestApi;
  let project: CodeProject;
  let url: string;
  beforeAll(async () => {
    api = await borrowApi();
    project = await buildCodeProject(api);
    const { token } = await buildToken(api, project.developerId);
    url = gitUrl(api, `/${project.fullPath}.git`, ['developer', token]);
  });
  afterAll(async () => {
    project.work.remove();
    await api.close();
  });

  const at = (path: string): string => `/projects/${project.id}/repository${path}`;

  /** Writes a tree as it is given: git itself would correct the modes. */
  const writeTree = (entries: readonly (readonly [mode: string, name: string, id: string])[]): string => {
    const content = Buffer.concat(
      entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    );
    const whole = Buffer.concat([Buffer.from(`tree ${content.length}\0`), content]);
    const id = createHash('sha1').update(whole).digest('hex');
    const folder = join(project.work.path, '.git/objects', id.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, id.slice(2)), deflateSync(whole));
    return id;
  };

  it.each([
    ['with the rights of a file system', '40755', 'rights'],
    ['with a leading zero', '040000', 'zero'],
  ])('are folders %s: a commit of the API keeps their files', async (_, mode, branch) => {
    const { work } = project;
    const blob = await work.git('rev-parse', 'main:a.txt');
    const inner = writeTree([
      ['100644', 'a.txt', blob],
      ['100644', 'b.txt', blob],
    ]);
    const root = writeTree([
      [mode, 'docs', inner],
      ['100644', 'readme', blob],
    ]);
    const sha = await work.git('commit-tree', root, '-m', 'Odd');
    const { code, stderr } = await work.run(['push', url, `${sha}:refs/heads/${branch}`]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const file = { branch, content: 'c', commit_message: 'Add' };
    const { status } = await project.developer.post(at('/files/docs%2Fc.txt'), file);
    expect(status).toBe(201);
    const { body } = await project.reporter.get<{ path: string }[]>(at(`/tree?ref=${branch}&recursive=true`));
    expect(body.map(({ path }) => path).toSorted()).toEqual([
      'docs',
      'docs/a.txt',
      'docs/b.txt',
      'docs/c.txt',
      'readme',
    ]);
    expect((await work.run(['--git-dir', project.repositoryPath, 'fsck', '--no-dangling'])).code).toBe(0);
  });

  it('have names of any length: such a commit can be cherry-picked', async () => {
    const { work } = project;
    const tree = await work.git('rev-parse', 'main^{tree}');
    const parent = await work.git('rev-parse', 'main~1');
    const people = ['author', 'committer'].map(
      (who) => `${who} ${'N'.repeat(200_000)} <n@b.c> 1700000000 +0000`,
    );
    const sha = await work.pipe(
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      `tree ${tree}\nparent ${parent}\n${people.join('\n')}\n\nLong\n`,
    );
    const refs = [`${sha}:refs/heads/long`, `${parent}:refs/heads/picked`];
    expect((await work.run(['push', url, ...refs])).code).toBe(0);
    const picked = await project.developer.post<{ author_name: string }>(at(`/commits/${sha}/cherry_pick`), {
      branch: 'picked',
    });
    expect(picked.status).toBe(201);
    expect(picked.body.author_name).toMatch(/^N+$/);
  });

  const writeCommit = async (author: string): Promise<string> => {
    const { work } = project;
    const [tree, parent] = [
      await work.git('rev-parse', 'main^{tree}'),
      await work.git('rev-parse', 'main~1'),
    ];
    const lines = [`tree ${tree}`, `parent ${parent}`, author, 'committer A <a@b.c> 1700000000 +0000'];
    return work.pipe(
      ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'],
      `${lines.join('\n')}\n\nOdd\n`,
    );
  };

  it.each([
    ['a wrong zone', 'author A <a@b.c> 1700000000 +051800', 'A'],
    ['no space before the time', 'author A <a@b.c>1700000000 +0000', 'A'],
    ['no time', 'author A <a@b.c>', 'A'],
    ['no space before the address', 'author A<a@b.c> 1700000000 +0000', 'A'],
    ['half an address', 'author A<a@b.c 1700000000 +0000', ''],
  ])('are commits with %s: they can be pushed, read and picked', async (what, author, name) => {
    const { work, developer } = project;
    const branch = what.replaceAll(' ', '-');
    const sha = await writeCommit(author);
    const refs = [`${sha}:refs/heads/${branch}`, `main~1:refs/heads/on-${branch}`];
    const { code, stderr } = await work.run(['push', url, ...refs]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const { status, body } = await developer.get<{ author_name: string }[]>(
      at(`/commits?ref_name=${branch}`),
    );
    expect([status, body[0]?.author_name]).toEqual([200, name]);
    for (const path of [`/branches/${branch}`, `/commits/${sha}`, `/contributors?ref=${branch}`])
      expect([path, (await developer.get(at(path))).status]).toEqual([path, 200]);
    const blame = await developer.get(at(`/files/a.txt/blame?ref=${branch}`));
    expect(blame.status).toBe(200);
    const picked = await developer.post(at(`/commits/${sha}/cherry_pick`), { branch: `on-${branch}` });
    expect(picked.status).toBe(201);
    const cloned = await work.run(['fetch', url, `refs/heads/${branch}`]);
    expect(cloned.code).toBe(0);
  });

  it.each([
    ['folders of git', '100644', '.git'],
    ['ways out of the folder', '40000', '..'],
    ['links for lists of submodules', '120000', '.gitmodules'],
  ])('must not be %s', async (_, mode, name) => {
    const { work } = project;
    const id = await work.git('rev-parse', mode === '40000' ? 'main^{tree}' : 'main:a.txt');
    const sha = await work.git('commit-tree', writeTree([[`0${mode}`, name, id]]), '-m', 'Bad');
    const { code, stderr } = await work.run(['push', url, `${sha}:refs/heads/bad`]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/fsck|unpack/)]);
  });

  it.each([
    ['no time that is a number', 'author A <a@b.c> yesterday +0000'],
    ['no zone', 'author A <a@b.c> 1700000000'],
    ['two authors', 'author A <a@b.c> 1700000000 +0000\nauthor B <a@b.c> 1700000000 +0000'],
    ['no author', 'encoding utf-8'],
  ])('must not be commits with %s', async (_, author) => {
    const { code } = await project.work.run(['push', url, `${await writeCommit(author)}:refs/heads/bad`]);
    expect(code).toBe(1);
  });
});
