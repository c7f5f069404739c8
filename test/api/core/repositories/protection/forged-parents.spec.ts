import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { buildToken } from '../../../../support/builders/token.js';
import { gitUrl } from '../../../../support/git-http.js';
import { borrowApi } from '../../../../support/shared-api.js';

/** Git takes as parents only the lines between tree and author; it accepts any further header. */
describe('commits with headers that look like parents', () => {
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
  const forge = async (parent: string): Promise<string> => {
    const { work } = project;
    const tree = await work.git('rev-parse', 'main^{tree}');
    const people = ['author', 'committer'].map((who) => `${who} A <a@b.c> 1700000000 +0000`);
    const head = [`tree ${tree}`, ...people, `parent ${parent}`].join('\n');
    return work.pipe(
      ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
      `${head}\n\nForged ${parent}\n`,
    );
  };
  const push = (sha: string, branch: string): ReturnType<CodeProject['work']['run']> =>
    project.work.run(['push', url, `+${sha}:refs/heads/${branch}`]);

  it('are shown without them, and their diffs take them for no option of git', async () => {
    const file = join(project.work.path, 'written-by-git');
    for (const parent of [`--output=${file}`, project.commits[0] ?? '']) {
      const sha = await forge(parent);
      expect((await push(sha, 'forged')).code).toBe(0);
      const { body } = await api.root.get<{ parent_ids: string[] }>(at(`/commits/${sha}`));
      const diff = await project.reporter.get<{ new_path: string }[]>(at(`/commits/${sha}/diff`));
      expect([diff.status, existsSync(file), body.parent_ids]).toEqual([200, false, []]);
      expect(diff.body.map(({ new_path: path }) => path)).toEqual(['README.md', 'a.txt']);
    }
  });

  it('have the same author wherever they are shown', async () => {
    const { work } = project;
    const tree = await work.git('rev-parse', 'main^{tree}');
    const people = ['author A', 'committer A', 'author B', 'committer B'];
    const head = [`tree ${tree}`, ...people.map((who) => `${who} <a@b.c> 1700000000 +0000`)].join('\n');
    const sha = await work.pipe(
      ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
      `${head}\n\nTwo of each\n`,
    );
    expect((await push(sha, 'twice')).code).toBe(0);
    const one = await api.root.get<{ author_name: string }>(at(`/commits/${sha}`));
    const all = await api.root.get<{ author_name: string }[]>(at('/commits?ref_name=twice'));
    expect(all.body.map(({ author_name: name }) => name)).toEqual([one.body.author_name]);
  });

  it('do not replace the history of a protected branch', async () => {
    const head = project.commits.at(-1) ?? '';
    expect((await push(head, 'kept')).code).toBe(0);
    const protection = { name: 'kept', push_access_level: 30 };
    expect((await api.root.post(`/projects/${project.id}/protected_branches`, protection)).status).toBe(201);
    const { code, stderr } = await push(await forge(head), 'kept');
    expect(stderr).toContain('not allowed to force push code to a protected branch');
    expect(code).not.toBe(0);
    const { body } = await api.root.get<{ commit: { id: string } }>(at('/branches/kept'));
    expect(body.commit.id).toBe(head);
  });
});
