import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { CodeProject } from '../../../support/builders/code-project.js';
import { buildMergeRequestProject } from '../../../support/builders/merge-request.js';
import { createUser } from '../../../support/builders/user.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

interface Shown {
  readonly iid: number;
  readonly state: string;
  readonly sha: string;
}

describe('a closed merge request of a private fork', () => {
  let api: TestApi;
  let project: CodeProject;
  let forker: ApiClient;
  let commits: string;
  let path: string;

  const commit = async (file: string, values: object = {}): Promise<string> => {
    const actions = [{ action: 'create', file_path: file, content: 'text\n' }];
    const change = { branch: 'offer', commit_message: file, actions, ...values };
    const made = await forker.post<{ id: string }>(commits, change);
    return made.status === 201 ? made.body.id : '';
  };
  const say = (client: ApiClient, event: 'close' | 'reopen'): Promise<Answer<Shown>> =>
    client.put<Shown>(path, { state_event: event });

  beforeAll(async () => {
    api = await borrowApi();
    project = await buildMergeRequestProject(api, { visibility: 'public' });
    forker = (await createUser(api)).client;
    const fork = await forker.post<{ id: number }>(`/projects/${project.id}/fork`, { visibility: 'private' });
    commits = `/projects/${fork.body.id}/repository/commits`;
    await until(async () => (await commit('offer.txt', { start_branch: 'main' })) !== '');
    const made = await forker.post<Shown>(`/projects/${fork.body.id}/merge_requests`, {
      source_branch: 'offer',
      target_branch: 'main',
      target_project_id: project.id,
      title: 'Offer',
    });
    path = `/projects/${project.id}/merge_requests/${made.body.iid}`;
  });
  afterAll(() => api.close());

  it('shows what was committed since only if it is reopened by a user who may read that', async () => {
    await say(forker, 'close');
    expect((await say(project.maintainer, 'reopen')).body.state).toBe('opened');
    await say(project.maintainer, 'close');
    const before = (await project.maintainer.get<Shown>(path)).body.sha;
    const secret = await commit('secret.txt');
    expect((await say(project.maintainer, 'reopen')).status).toBe(403);
    const note = { body: '/reopen' };
    await project.maintainer.post(`${path}/notes`, note);
    const hidden = await project.maintainer.get<Shown>(path);
    expect(hidden.body).toMatchObject({ state: 'closed', sha: before });
    expect((await project.maintainer.get(`${path}/changes`)).text).not.toContain('secret.txt');
    expect((await say(forker, 'reopen')).body).toMatchObject({ state: 'opened', sha: secret });
  });
});
