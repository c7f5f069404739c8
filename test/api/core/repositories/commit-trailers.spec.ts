import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
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
  const message = 'x'.repeat(1024 * 1024);
  const commits = Array.from(
    { length: 40 },
    (_, index) => `commit refs/heads/main
committer A <a@b.c> ${index} +0000
data ${message.length}
${message}
`,
  );
  const code = await buildCodeProject(api, (work) =>
    work.pipe(['fast-import', '--quiet', '--force'], commits.join('')),
  );
  const path = `/projects/${code.id}/repository/commits`;
  const refused = await code.reporter.get(`${path}?per_page=40`);
  expect([refused.status, refused.body]).toEqual([
    400,
    { message: 'The commits of this answer are too large together. Ask for fewer with per_page.' },
  ]);
  const page = await code.reporter.get<{ message: string }[]>(`${path}?per_page=4&page=10`);
  expect(page.body.map((commit) => commit.message.length)).toEqual(Array(4).fill(message.length));
  code.work.remove();
  await api.close();
});
