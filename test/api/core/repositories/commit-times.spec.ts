import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('commits with invalid times', () => {
  let api: TestApi;
  let project: CodeProject;
  beforeAll(async () => {
    api = await borrowApi();
    project = await buildCodeProject(api);
  });
  afterAll(() => api.close());

  const at = (path: string): string => `/projects/${project.id}${path}`;
  const areShown = async (...paths: string[]): Promise<void> => {
    for (const path of paths) expect([path, (await api.root.get(at(path))).status]).toEqual([path, 200]);
  };

  /** The files of `main`, and one more. */
  const treeWith = async (name: string): Promise<string> => {
    const { work } = project;
    const lines = await work.git('ls-tree', 'main');
    const blob = await work.pipe(['hash-object', '-w', '--stdin'], name);
    return work.pipe(['mktree'], `${lines}\n100644 blob ${blob}\t${name}\n`);
  };

  it.each([
    '0 +0000',
    // Before 1970 where they were made: git refuses to print such a time.
    '1 -0100',
    '1 -9999',
    '253402300800 +0000',
    '99999999999 +1400',
    '9999999999999 +0000',
    '4000000000000000 -1200',
  ])('do not break any response: %s', async (time) => {
    const { work, repositoryPath } = project;
    const branch = `at${time.replace(/\D/g, '')}`;
    const tree = await work.git('rev-parse', 'main^{tree}');
    const people = ['author', 'committer'].map((who) => `${who} A <a@b.c> ${time}`);
    const sha = await work.pipe(
      ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
      `${[`tree ${tree}`, ...people].join('\n')}\n\nFar\n`,
    );
    for (const ref of [`refs/heads/${branch}`, `refs/tags/v${branch}`])
      await work.git('push', '--quiet', repositoryPath, `${sha}:${ref}`);
    const tag = await work.pipe(
      ['hash-object', '-t', 'tag', '-w', '--stdin', '--literally'],
      `object ${sha}\ntype commit\ntag x\ntagger A <a@b.c> ${time}\n\nFar\n`,
    );
    await work.git('push', '--quiet', repositoryPath, `${tag}:refs/tags/annotated${branch}`);
    await areShown(
      `/repository/tags/annotated${branch}`,
      `/repository/branches?sort=updated_desc`,
      `/repository/commits?ref_name=${branch}`,
      `/repository/commits/${sha}`,
      `/repository/branches/${branch}`,
      '/repository/branches',
      '/repository/tags?order_by=updated',
      `/repository/compare?from=main&to=${branch}`,
      `/repository/files/README.md/blame?ref=${branch}`,
      `/repository/contributors`,
    );
    const status = { state: 'success', name: 'x', ref: branch };
    expect((await api.root.post(at(`/statuses/${sha}`), status)).status).toBe(201);
    const wanted = { source_branch: branch, target_branch: 'main', title: 'Far' };
    const made = await api.root.post<{ iid: number }>(at('/merge_requests'), wanted);
    expect(made.status).toBe(201);
    const [pipeline] = (await api.root.get<{ id: number }[]>(at(`/pipelines?sha=${sha}`))).body;
    await areShown(
      '/pipelines',
      `/pipelines/${pipeline?.id ?? 0}/jobs`,
      `/repository/commits/${sha}/statuses`,
      '/merge_requests',
      ...['', '/commits', '/changes'].map((part) => `/merge_requests/${made.body.iid}${part}`),
    );
    const picked = await work.pipe(
      ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
      `${[`tree ${await treeWith(branch)}`, `parent ${sha}`, ...people].join('\n')}\n\nPick\n`,
    );
    await work.git('push', '--quiet', repositoryPath, `${picked}:refs/heads/pick${branch}`);
    const applied = await api.root.post(at(`/repository/commits/${picked}/cherry_pick`), { branch: 'main' });
    expect([applied.status, applied.text]).toEqual([201, expect.any(String)]);
    const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN, 'If-Unmodified-Since': new Date().toUTCString() };
    const path = `${api.url}/api/v4${at(`/repository/branches/${branch}`)}`;
    expect([204, 412]).toContain((await fetch(path, { method: 'DELETE', headers })).status);
  });
});
