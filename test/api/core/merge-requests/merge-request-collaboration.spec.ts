import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildMergeRequestProject } from '../../../support/builders/merge-request.js';
import { createUser } from '../../../support/builders/user.js';
import type { CodeProject } from '../../../support/builders/code-project.js';
import type { ApiClient } from '../../../support/client.js';
import { WorkingCopy } from '../../../support/git.js';
import { gitUrl } from '../../../support/git-http.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

interface Fork {
  readonly id: number;
  readonly path_with_namespace: string;
  readonly import_status: string;
}

describe('members of the target of a merge request from a fork', () => {
  let api: TestApi;
  let project: CodeProject;
  let forker: ApiClient;
  let fork: Fork;
  let path: string;
  let work: WorkingCopy;

  beforeAll(async () => {
    api = await borrowApi();
    project = await buildMergeRequestProject(api, { visibility: 'public' });
    forker = (await createUser(api)).client;
    fork = (await forker.post<Fork>(`/projects/${project.id}/fork`)).body;
    const commits = `/projects/${fork.id}/repository/commits`;
    const actions = [{ action: 'create', file_path: 'offer.txt', content: '1\n' }];
    const offer = { branch: 'offer', start_branch: 'main', commit_message: 'Offer', actions };
    await until(async () => (await forker.post(commits, offer)).status === 201);
    const made = await forker.post<{ iid: number }>(`/projects/${fork.id}/merge_requests`, {
      source_branch: 'offer',
      target_branch: 'main',
      target_project_id: project.id,
      title: 'Offer',
    });
    path = `/projects/${project.id}/merge_requests/${made.body.iid}`;
    work = new WorkingCopy();
    await work.init();
    await work.git('fetch', '--quiet', gitUrl(api, `/${fork.path_with_namespace}.git`), 'offer');
    await work.git('checkout', '--quiet', '-B', 'offer', 'FETCH_HEAD');
  });
  afterAll(() => api.close());

  /** Whether `git push` succeeds for a user. */
  const pushes = async (client: ApiClient, ...refs: string[]): Promise<boolean> => {
    const { body: me } = await client.get<{ id: number; username: string }>('/user');
    const token = await tokenOf(me.id);
    const url = gitUrl(api, `/${fork.path_with_namespace}.git`, [me.username, token]);
    return (await work.run(['push', '--quiet', url, ...refs])).code === 0;
  };
  const tokenOf = async (userId: number): Promise<string> => {
    const values = { name: 'git', scopes: ['write_repository'], expires_at: '2999-01-01' };
    const made = await api.root.post<{ token: string }>(`/users/${userId}/personal_access_tokens`, values);
    return made.body.token;
  };
  const allow = (isAllowed: boolean): Promise<unknown> =>
    forker.put(path, { allow_collaboration: isAllowed });

  it('may push only to its branch, as long as its author allows it', async () => {
    await work.commit({ 'help.txt': 'help\n' }, 'Help');
    expect(await pushes(project.developer, 'offer')).toBe(false);
    await allow(true);
    expect(await pushes(project.reporter, 'offer')).toBe(false);
    expect(await pushes(project.developer, 'offer:other')).toBe(false);
    expect(await pushes(project.developer, 'offer:refs/tags/v1')).toBe(false);
    expect(await pushes(project.developer, ':offer')).toBe(false);
    expect(await pushes(project.developer, 'offer', 'offer:more')).toBe(false);
    expect(await pushes(project.developer, 'offer:main')).toBe(false);
    expect(await pushes(project.developer, 'offer')).toBe(true);
    const head = await work.git('rev-parse', 'HEAD');
    await until(async () => (await forker.get(path)).body['sha'] === head);
    await work.commit({ 'again.txt': 'again\n' }, 'Again');
    await forker.put(path, { state_event: 'close' });
    expect(await pushes(project.developer, 'offer')).toBe(false);
    await forker.put(path, { state_event: 'reopen' });
    await allow(false);
    expect(await pushes(project.developer, 'offer')).toBe(false);
  });

  it('may not allow it themselves, nor may its assignee', async () => {
    const assignee = await createUser(api);
    await project.developer.put(path, { assignee_ids: [assignee.id] });
    for (const client of [project.developer, project.maintainer, assignee.client]) {
      expect((await client.put(path, { allow_collaboration: true })).status).toBe(200);
      expect((await client.put(path, { allow_maintainer_to_push: true, squash: true })).status).toBe(200);
      expect((await forker.get(path)).body).toMatchObject({ allow_collaboration: false });
    }
    await work.commit({ 'taken.txt': 'taken\n' }, 'Taken');
    expect(await pushes(project.developer, 'offer')).toBe(false);
    await work.git('reset', '--quiet', '--hard', 'HEAD^');
    await project.developer.put(path, { assignee_ids: [] });
  });

  it('may rebase it if allowed, but not push to a protected or hidden branch', async () => {
    const ahead = {
      branch: 'main',
      commit_message: 'Ahead',
      actions: [{ action: 'create', file_path: 'ahead.txt', content: '1' }],
    };
    expect((await project.maintainer.post(`/projects/${project.id}/repository/commits`, ahead)).status).toBe(
      201,
    );
    expect((await project.developer.put(`${path}/rebase`)).status).toBe(403);
    await allow(true);
    const { body: before } = await forker.get(path);
    expect((await project.developer.put(`${path}/rebase`)).status).toBe(202);
    await until(async () => (await forker.get(path)).body['sha'] !== before['sha']);
    await work.git('fetch', '--quiet', gitUrl(api, `/${fork.path_with_namespace}.git`), 'offer');
    await work.git('checkout', '--quiet', '-B', 'offer', 'FETCH_HEAD');
    await work.commit({ 'later.txt': 'later\n' }, 'Later');
    await forker.post(`/projects/${fork.id}/protected_branches`, { name: 'offer' });
    expect(await pushes(project.developer, 'offer')).toBe(false);
    expect((await project.developer.put(`${path}/rebase`)).status).toBe(403);
    await forker.delete(`/projects/${fork.id}/protected_branches/offer`);
    await forker.put(`/projects/${fork.id}`, { visibility: 'private' });
    expect(await pushes(project.developer, 'offer')).toBe(false);
    await forker.put(`/projects/${fork.id}`, { visibility: 'public' });
    expect(await pushes(project.developer, 'offer')).toBe(true);
  });

  it('may commit to it through the API under the same rule, and to nothing else', async () => {
    const at = (rest: string): string => `/projects/${fork.id}/repository/${rest}`;
    const commit = (client: ApiClient, branch: string, more: object = {}): Promise<{ status: number }> => {
      const file_path = `by-call-${(files += 1)}.txt`;
      const actions = [{ action: 'create', file_path, content: 'x' }];
      return client.post(at('commits'), { branch, commit_message: 'By call', actions, ...more });
    };
    let files = 0;
    const file = (name: string): string => at(`files/${name}`);
    const onOffer = { branch: 'offer', commit_message: 'One file', content: 'x\n' };
    const { developer, reporter } = project;
    const stranger = (await createUser(api)).client;
    await allow(false);
    expect((await commit(developer, 'offer')).status).toBe(403);
    expect((await developer.post(file('one.txt'), onOffer)).status).toBe(403);
    await allow(true);
    for (const client of [reporter, stranger]) {
      expect((await commit(client, 'offer')).status).toBe(403);
      expect((await client.post(file('one.txt'), onOffer)).status).toBe(403);
    }
    expect((await commit(api.anonymous, 'offer')).status).toBe(401);
    expect((await commit(developer, 'main')).status).toBe(403);
    expect((await commit(developer, 'new', { start_branch: 'offer' })).status).toBe(403);
    expect((await developer.post(at('branches'), { branch: 'new', ref: 'offer' })).status).toBe(403);
    expect((await developer.post(at('tags'), { tag_name: 'v2', ref: 'offer' })).status).toBe(403);
    expect((await developer.delete(at('branches/offer'))).status).toBe(403);

    expect((await commit(developer, 'offer')).status).toBe(201);
    expect((await developer.post(file('one.txt'), onOffer)).status).toBe(201);
    expect((await developer.put(file('one.txt'), { ...onOffer, content: 'y\n' })).status).toBe(200);
    expect((await developer.send('DELETE', file('one.txt'), onOffer)).status).toBe(204);
    const { body: head } = await forker.get<{ commit: { id: string } }>(at('branches/offer'));
    await until(async () => (await forker.get(path)).body['sha'] === head.commit.id);
    const revert = (branch: string): Promise<{ status: number }> =>
      developer.post(at(`commits/${head.commit.id}/revert`), { branch });
    expect((await revert('main')).status).toBe(403);
    expect((await revert('offer')).status).toBe(201);

    await forker.post(`/projects/${fork.id}/protected_branches`, { name: 'offer' });
    expect((await commit(developer, 'offer')).status).toBe(400);
    await forker.delete(`/projects/${fork.id}/protected_branches/offer`);
    await forker.put(`/projects/${fork.id}`, { repository_access_level: 'private' });
    expect((await commit(developer, 'offer')).status).toBe(403);
    await forker.put(`/projects/${fork.id}`, { repository_access_level: 'enabled', visibility: 'private' });
    expect((await commit(developer, 'offer')).status).toBe(404);
  });
});
