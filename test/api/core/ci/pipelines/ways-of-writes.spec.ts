import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { JobDesk } from '../../../../support/job-desk.js';
import { waysDuring } from '../../../../support/watched-writes.js';

describe('the statements of pipeline writes', () => {
  let api: TestApi;
  let project: CodeProject;
  beforeAll(async () => {
    api = await startApi();
    project = await buildCodeProject(api, () => Promise.resolve());
  });
  afterAll(() => api.close());

  it('are two writes for a commit status if the commit has others', async () => {
    const sha = project.commits[0] ?? '';
    const post = async (name: string): Promise<void> => {
      const body = { state: 'success', ref: 'main', name };
      const answer = await project.developer.post(`/projects/${project.id}/statuses/${sha}`, body);
      expect([answer.status, answer.body]).toMatchObject([201, { name, status: 'success', sha }]);
    };
    await post('first');
    expect(await waysDuring(() => post('second'))).toBe(2);
  });

  it('are two writes for the end of the only job', async () => {
    const desk = await JobDesk.build(api);
    const { id, token } = await desk.run();
    await api.anonymous.put(`/jobs/${id}`, { token, state: 'running' });
    const ways = await waysDuring(async () => {
      const answer = await api.anonymous.put(`/jobs/${id}`, { token, state: 'success' });
      expect(answer.status).toBe(200);
    });
    expect(ways).toBe(2);
  });
});
