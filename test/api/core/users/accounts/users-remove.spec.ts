import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildJob, buildPipeline } from '../../../../support/builders/ci.js';
import { buildDeployment } from '../../../../support/builders/deployment.js';
import { buildIssue } from '../../../../support/builders/issue.js';
import { buildMember } from '../../../../support/builders/member.js';
import { buildMergeRequest, buildMergeRequestProject } from '../../../../support/builders/merge-request.js';
import { buildProject } from '../../../../support/builders/project.js';
import { createUser } from '../../../../support/builders/user.js';
import { validUser, type UserBody } from '../../../../support/builders/user-shapes.js';
import { borrowApi } from '../../../../support/shared-api.js';

describe('users', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  describe('removal', () => {
    const gone = async (id: number): Promise<void> => {
      for (let i = 0; i < 100; i += 1) {
        if ((await api.sql('select 1 from users where id = $1', [id])).length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error('The user is still there');
    };

    it('hides the user at once, and moves contributions to the ghost user', async () => {
      const user = await createUser(api, { username: 'leaver' });
      const [project] = await api.sql<{ id: number }>(
        `insert into projects (namespace_id, name, path, full_path, full_name)
         values (1, 'kept', 'kept', 'root/kept', 'Root / kept') returning id`,
      );
      const [environment] = await api.sql<{ id: number }>(
        `insert into environments (project_id, name, slug, tier) values ($1, 'e', 'e', 'other') returning id`,
        [project?.id],
      );
      await api.sql(
        `insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status)
         values ($1, $2, 1, $3, 'main', $4, false, 'success')`,
        [project?.id, environment?.id, user.id, 'a'.repeat(40)],
      );
      const old = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
      expect((await api.root.delete(`/users/${user.id}`, old)).status).toBe(412);
      const answer = await api.root.delete(`/users/${user.id}`);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await api.root.get(`/users/${user.id}`)).status).toBe(404);
      expect((await api.root.delete(`/users/${user.id}`)).status).toBe(404);
      expect([401, 403]).toContain((await user.client.get('/user')).status);
      await gone(user.id);
      const [deployment] = await api.sql<{ username: string; user_type: string }>(
        'select u.username, u.user_type from deployments d join users u on u.id = d.user_id where d.project_id = $1',
        [project?.id],
      );
      expect(deployment).toEqual({ username: 'ghost', user_type: 'ghost' });
      expect(await api.sql(`select 1 from routes where path = 'leaver'`)).toEqual([]);
      expect((await api.root.post('/users', validUser('leaver'))).status).toBe(201);
      const ghost = await api.root.get<UserBody[]>('/users?username=ghost');
      expect((await api.root.delete(`/users/${ghost.body[0]?.id}`)).status).toBe(403);
      expect((await api.root.post(`/users/${ghost.body[0]?.id}/block`)).status).toBe(403);
    });

    it('refuses the only owner of a group, unless it is permanent', async () => {
      const user = await createUser(api);
      const group = await user.client.post<{ id: number }>('/groups', { name: 'solo', path: 'solo' });
      const groupId = group.body.id;
      const refused = await api.root.delete(`/users/${user.id}`);
      expect([refused.status, refused.body]).toEqual([
        409,
        { message: 'User cannot be removed while is the sole-owner of a group' },
      ]);
      expect((await api.root.delete(`/users/${user.id}?hard_delete=perhaps`)).status).toBe(400);
      expect((await api.root.delete(`/users/${user.id}?hard_delete=true`)).status).toBe(204);
      await gone(user.id);
      const [left] = await api.sql<{ count: number }>(
        'select count(*) as count from namespaces where id = $1 and not pending_delete',
        [groupId],
      );
      expect(left?.count).toBe(0);
    });

    it('leaves issues to the ghost user, also if it is permanent', async () => {
      const user = await createUser(api);
      const { id } = await buildProject(api.root, { visibility: 'public' });
      const issue = await buildIssue(user.client, id);
      await user.client.put(`/projects/${id}/issues/${issue.iid}`, { state_event: 'close' });
      expect((await api.root.delete(`/users/${user.id}?hard_delete=true`)).status).toBe(204);
      await gone(user.id);
      const { body } = await api.root.get(`/projects/${id}/issues/${issue.iid}`);
      const ghost = expect.objectContaining({ username: 'ghost' });
      expect(body).toMatchObject({ author: ghost, closed_by: ghost });
    });

    it('keeps protections closed that only the user could remove', async () => {
      const user = await createUser(api);
      const keeper = await createUser(api);
      const { id } = await buildProject(api.root, { initialize_with_readme: true });
      await buildMember(api, `projects/${id}`, user.id, 40);
      await buildMember(api, `projects/${id}`, keeper.id, 40);
      const given = { name: 'release', allowed_to_unprotect: [{ user_id: user.id }] };
      expect((await api.root.post(`/projects/${id}/protected_branches`, given)).status).toBe(201);
      const path = `/projects/${id}/protected_branches/release`;
      expect((await keeper.client.delete(path)).status).toBe(403);
      expect((await api.root.delete(`/users/${user.id}`)).status).toBe(204);
      await gone(user.id);
      expect((await keeper.client.delete(path)).status).toBe(403);
      expect((await api.root.delete(path)).status).toBe(204);
    });

    it.each([
      ['the ghost user keeps', false],
      ['a permanent deletion removes', true],
    ])('%s votes and events', async (_name, hard) => {
      const user = await createUser(api);
      const { id } = await buildProject(api.root, { visibility: 'public' });
      const { iid } = await buildIssue(user.client, id);
      const path = `/projects/${id}/issues/${iid}`;
      expect((await user.client.post(`${path}/award_emoji`, { name: 'thumbsup' })).status).toBe(201);
      expect((await api.root.delete(`/users/${user.id}?hard_delete=${hard}`)).status).toBe(204);
      await gone(user.id);
      const votes = (await api.root.get<{ user: { username: string } }[]>(`${path}/award_emoji`)).body;
      expect(votes.map((vote) => vote.user.username)).toEqual(hard ? [] : ['ghost']);
      const events = (await api.root.get<{ author: { username: string } }[]>(`/projects/${id}/events`)).body;
      const ghosts = events.filter(({ author }) => author.username === 'ghost');
      expect(ghosts.length > 0).toBe(!hard);
      expect((await api.root.get<{ upvotes: number }>(path)).body.upvotes).toBe(hard ? 0 : 1);
    });

    it.each([
      ['the ghost user keeps', false],
      ['a permanent deletion removes', true],
    ])('%s approvals of merge requests and of deployments', async (_name, hard) => {
      const user = await createUser(api);
      const project = await buildMergeRequestProject(api);
      await buildMember(api, `projects/${project.id}`, user.id, 40);
      const { iid } = await buildMergeRequest(project.developer, project.id, 'one');
      const request = `/projects/${project.id}/merge_requests/${iid}`;
      expect((await user.client.post(`${request}/approve`)).status).toBe(201);
      const { id } = await buildDeployment(project.developer, project.id, {
        sha: project.commits[0],
      });
      const job = await buildJob(api, await buildPipeline(api, project.id));
      await api.sql('update deployments set job_id = $2 where id = $1', [id, job.id]);
      await api.sql(
        `insert into deployment_approvals (deployment_id, user_id, status) values ($1, $2, 'approved')`,
        [id, user.id],
      );
      expect((await api.root.delete(`/users/${user.id}?hard_delete=${hard}`)).status).toBe(204);
      await gone(user.id);
      const { body } = await api.root.get<{ approved_by: { user: { username: string } }[] }>(
        `${request}/approvals`,
      );
      const deployment = await api.root.get<{ approvals: { user: { username: string } }[] }>(
        `/projects/${project.id}/deployments/${id}`,
      );
      const names = [body.approved_by, deployment.body.approvals].map((all) =>
        all.map((one) => one.user.username),
      );
      expect(names).toEqual(hard ? [[], []] : [['ghost'], ['ghost']]);
    });

    it('succeeds once with simultaneous requests', async () => {
      const user = await createUser(api);
      const answers = await Promise.all([1, 2, 3].map(() => api.root.delete(`/users/${user.id}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    });
  });
});
