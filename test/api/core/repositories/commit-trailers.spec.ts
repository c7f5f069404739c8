import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { until } from '../../../support/until.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { longestOwnStop } from '../../../support/longest-stop.js';
import { borrowApi } from '../../../support/shared-api.js';

const MANY = 50_000;

describe('trailers of commits', () => {
  let api: TestApi;
  let code: CodeProject;
  beforeAll(async () => {
    api = await borrowApi();
    code = await buildCodeProject(api, (work) =>
      work.pipe(
        ['commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '--file=-'],
        `Title\n\n${'A: b\n'.repeat(MANY)}`,
      ),
    );
  });
  afterAll(async () => {
    code.work.remove();
    await api.close();
  });

  it('do not stop the service, however many of one name there are', async () => {
    const stop = await longestOwnStop(500, async () => {
      const found = await code.reporter.get<{ extended_trailers: Record<string, string[]> }>(
        `/projects/${code.id}/repository/commits/main`,
      );
      expect(found.body.extended_trailers['A']).toHaveLength(MANY);
    });
    expect(stop).toBeLessThan(500);
  });
});

it('messages that are too large for one answer are refused, and can be read in smaller pages', async () => {
  const api = await borrowApi();
  // The newest one names issues.
  const message = `Closes #1, see #2\n\n${'x'.repeat(1024 * 1024)}`;
  const commits = Array.from(
    { length: 40 },
    (_, index) => `commit refs/heads/main
mark :${index + 1}
committer A <a@b.c> ${index} +0000
data ${message.length}
${message}
reset refs/heads/b${index}
from :${index + 1}

reset refs/tags/t${index}
from :${index + 1}

`,
  );
  const code = await buildCodeProject(api, (work) =>
    work.pipe(['fast-import', '--quiet', '--force'], commits.join('')),
  );
  const project = `/projects/${code.id}`;
  const wanted = { source_branch: 'main', target_branch: 'b0', title: 'Large' };
  expect((await api.root.post(`${project}/merge_requests`, wanted)).status).toBe(201);
  const path = `${project}/repository/commits`;
  const lists = ['commits', 'branches', 'tags'].map((list) => `${project}/repository/${list}`);
  for (const list of [...lists, `${project}/merge_requests/1/commits`]) {
    const refused = await code.reporter.get(`${list}?per_page=50`);
    expect([list, refused.status, refused.body]).toEqual([
      list,
      400,
      { message: 'The commits of this answer are too large together. Ask for fewer with per_page.' },
    ]);
    expect((await code.reporter.get(`${list}?per_page=2`)).status).toBe(200);
  }
  const page = await code.reporter.get<{ message: string }[]>(`${path}?per_page=4&page=10`);
  expect(page.body.map((commit) => commit.message.length)).toEqual(Array(4).fill(message.length));
  const compared = await code.reporter.get<{ commits: unknown[]; compare_timeout: boolean }>(
    `${project}/repository/compare?from=b0&to=main`,
  );
  expect(compared.status).toBe(200);
  expect([compared.body.commits.length > 0, compared.body.compare_timeout]).toEqual([true, true]);
  const versions = await code.reporter.get<{ id: number }[]>(`${project}/merge_requests/1/versions`);
  const version = await code.reporter.get<{ commits: unknown[] }>(
    `${project}/merge_requests/1/versions/${versions.body[0]?.id ?? 0}`,
  );
  expect([version.status, version.body.commits.length > 0]).toEqual([200, true]);
  for (const title of ['one', 'two']) await api.root.post(`${project}/issues`, { title });
  expect((await api.root.put(project, { default_branch: 'b0' })).status).toBe(200);
  const merged = await api.root.put(`${project}/merge_requests/1/merge`, { squash: false });
  expect([merged.status, merged.body['state']]).toEqual([200, 'merged']);
  await until(async () => (await api.root.get(`${project}/issues/1`)).body['state'] === 'closed');
  await until(async () => {
    const notes = await api.root.get<{ body: string }[]>(`${project}/issues/2/notes`);
    return notes.body.some(({ body }) => body.startsWith('mentioned in commit'));
  });
  code.work.remove();
  await api.close();
});

it('a title longer than any file does not keep the blame of a file busy', async () => {
  const api = await borrowApi();
  const title = 't'.repeat(100 * 1024 * 1024);
  const file = 'M 100644 inline long.txt\ndata 4\none\n';
  const code = await buildCodeProject(api, (work) =>
    work.pipe(
      ['fast-import', '--quiet', '--force'],
      `commit refs/heads/long\ncommitter A <a@b.c> 1 +0000\ndata ${title.length}\n${title}\n${file}\n`,
    ),
  );
  await code.work.git('push', '--quiet', code.repositoryPath, 'long');
  const begun = process.cpuUsage();
  const { status } = await code.reporter.get(`/projects/${code.id}/repository/files/long.txt/blame?ref=long`);
  // CPU time, as the machine may be busy: every piece of the title was copied with all before it, for half a minute.
  const { user, system } = process.cpuUsage(begun);
  expect([status, user + system < 4_000_000]).toEqual([422, true]);
  code.work.remove();
  await api.close();
});

it('messages that are too large for the blame of a file are refused, and can be read in smaller ranges', async () => {
  const api = await borrowApi();
  const MIB = 1024 * 1024;
  /** Each commit writes a file anew, from its lines. */
  const commit = (branch: string, number: number, lines: readonly number[], size: number): string => {
    const content = lines.map((line) => `${line}\n`).join('');
    const message = `data ${size}\n${'m'.repeat(size)}`;
    const file = `M 100644 inline ${branch}.txt\ndata ${content.length}\n${content}`;
    return `commit refs/heads/${branch}\ncommitter A <a@b.c> ${number} +0000\n${message}\n${file}\n`;
  };
  const many = Array.from({ length: 34 }, (_, at) => commit('many', at, [...Array(at + 1).keys()], MIB));
  const even = Array.from({ length: 34 }, (_, at) => at * 2);
  const all = Array.from({ length: 68 }, (_, at) => at);
  const turns = [commit('turns', 1, even, MIB), commit('turns', 2, all, MIB)];
  const code = await buildCodeProject(api, (work) =>
    work.pipe(['fast-import', '--quiet', '--force'], [...many, ...turns].join('')),
  );
  for (const branch of ['many', 'turns']) {
    const path = `/projects/${code.id}/repository/files/${branch}.txt/blame?ref=${branch}`;
    await code.work.git('push', '--quiet', code.repositoryPath, branch);
    const refused = await code.reporter.get(path);
    expect([refused.status, refused.body]).toEqual([
      422,
      { message: 'The commits of the lines are too large together: request a range' },
    ]);
    const part = await code.reporter.get<{ lines: string[] }[]>(`${path}&range[start]=3&range[end]=4`);
    expect([part.status, part.body.map(({ lines }) => lines)]).toEqual([200, [['2'], ['3']]]);
  }
  code.work.remove();
  await api.close();
});
