import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

let api: TestApi;
const work = new WorkingCopy();

beforeAll(async () => {
  api = await borrowApi();
  await (await work.init()).commit({ 'a.txt': 'a' });
});
afterAll(async () => {
  work.remove();
  await api.close();
});

/** Running git processes of a repository. */
function processesAt(path: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`GIT_DIR=${path}`);
    } catch {
      return false;
    }
  });
}

it('the service ends git when its reader has disconnected', async () => {
  const project = await api.root.post<{ id: number }>('/projects', { name: 'slow' });
  const { path } = await seedRepository(api, projectRepository(project.body.id), work);
  // Git waits forever for the pipe to be read.
  const pipe = join(path, 'refs/heads/stuck');
  execFileSync('mkfifo', [pipe]);
  const leaving = new AbortController();
  const url = `${api.url}/api/v4/projects/${project.body.id}/repository/commits?ref_name=stuck`;
  const answer = fetch(url, { headers: { 'PRIVATE-TOKEN': ROOT_TOKEN }, signal: leaving.signal });
  const left = expect(answer).rejects.toThrow();
  await until(() => processesAt(path).length > 0);
  leaving.abort();
  await left;
  await until(() => processesAt(path).length === 0);
  rmSync(pipe);
  expect((await api.root.get(`/projects/${project.body.id}/repository/commits`)).status).toBe(200);
});
