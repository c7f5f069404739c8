import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT_TOKEN, type TestApi } from '../support/api.js';
import { buildPipeline, buildRunningJob } from '../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../support/builders/project-team.js';
import { borrowApi } from '../support/shared-api.js';

const run = promisify(execFile);

describe('generic packages, by curl with user and password', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let folder: string;
  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
    folder = await mkdtemp(join(tmpdir(), 'forgeplane-curl-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await api.close();
  });

  const curl = async (...args: string[]): Promise<string> =>
    (await run('curl', ['-sS', '--max-time', '30', ...args])).stdout;
  const url = (): string => `${api.url}/api/v4/projects/${team.projectId}/packages/generic/tool/1/tool.tgz`;
  const status = ['-o', '/dev/null', '-w', '%{http_code}'];

  it('are published and fetched, also by jobs, and by clients that wait for a challenge', async () => {
    const path = join(folder, 'tool.tgz');
    await writeFile(path, 'a tool');
    const { token } = await buildRunningJob(api, await buildPipeline(api, team.projectId));
    for (const user of [`root:${ROOT_TOKEN}`, `gitlab-ci-token:${token}`]) {
      // With --anyauth nothing is sent before the challenge has named Basic.
      for (const how of [[], ['--anyauth']])
        expect([how, await curl(...how, '--user', user, '--upload-file', path, ...status, url())]).toEqual([
          how,
          expect.stringMatching(/201$/),
        ]);
      const copy = join(folder, 'copy.tgz');
      expect(await curl('--user', user, '-o', copy, '-w', '%{http_code}', url())).toBe('200');
      expect(await readFile(copy, 'utf8')).toBe('a tool');
    }
    expect(await curl('--user', 'root:wrong', '--upload-file', path, ...status, url())).toBe('401');
    expect(await curl(...status, url())).toBe('404');
  });
});
