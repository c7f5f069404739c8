import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import type { Answer, ApiClient } from '../../../../support/client.js';
import { buildPipeline, buildRunningJob } from '../../../../support/builders/ci.js';
import { buildProject } from '../../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../../support/builders/project-team.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { borrowApi } from '../../../../support/shared-api.js';

const deployments = (projectId: number): string => `/projects/${projectId}/deployments`;

describe('tokens of running jobs', () => {
  let api: TestApi;
  /** A user with the Maintainer role in both projects, who runs the job. */
  let user: CreatedUser;
  let own: ProjectTeam;
  let other: ProjectTeam;
  let token: string;

  const by = (jobToken: string, path: string, method = 'GET', body?: unknown): Promise<Answer> =>
    api.anonymous.send(method, path, body, { 'JOB-TOKEN': jobToken });

  const runningJob = async (projectId: number, userId: number): Promise<{ id: number; token: string }> => {
    const pipeline = await buildPipeline(api, projectId, { userId });
    const built = await buildRunningJob(api, pipeline);
    return { id: built.job.id, token: built.token };
  };

  const join = (projectId: number, userId: number, level = 40): Promise<unknown> =>
    api.root.post(`/projects/${projectId}/members`, { user_id: userId, access_level: level });

  beforeAll(async () => {
    api = await borrowApi();
    [own, other] = await Promise.all([buildProjectTeam(api), buildProjectTeam(api)]);
    user = await createUser(api);
    await join(own.projectId, user.id);
    await join(other.projectId, user.id);
    ({ token } = await runningJob(own.projectId, user.id));
  });
  afterAll(() => api.close());

  describe('as credentials', () => {
    it('act as the user of the job in its own project, as header and as parameter', async () => {
      expect((await by(token, deployments(own.projectId))).status).toBe(200);
      const byPath = `/projects/${encodeURIComponent(own.path)}/deployments`;
      expect((await by(token, byPath)).status).toBe(200);
      expect((await api.anonymous.get(`${deployments(own.projectId)}?job_token=${token}`)).status).toBe(200);
      const made = await api.anonymous.post(`/projects/${own.projectId}/environments`, {
        ...{ name: 'by-job', job_token: token },
      });
      expect(made.status).toBe(201);
    });

    it('have only the rights of that user', async () => {
      const guest = await createUser(api);
      await join(own.projectId, guest.id, 10);
      const job = await runningJob(own.projectId, guest.id);
      expect((await by(job.token, deployments(own.projectId))).status).toBe(403);
      const stranger = await createUser(api);
      const foreign = await runningJob(own.projectId, stranger.id);
      expect((await by(foreign.token, deployments(own.projectId))).status).toBe(404);
    });

    it('are invalid once the job is no longer running or was erased, or its project is being deleted', async () => {
      for (const change of [
        `status = 'success'`,
        `status = 'pending'`,
        `erased_at = now()`,
        `user_id = null`,
      ]) {
        const job = await runningJob(own.projectId, user.id);
        expect((await by(job.token, deployments(own.projectId))).status).toBe(200);
        await api.sql(`update ci_jobs set ${change} where id = $1`, [job.id]);
        const answer = await by(job.token, deployments(own.projectId));
        expect([change, answer.status, answer.body]).toEqual([change, 401, { message: '401 Unauthorized' }]);
      }
      const gone = await buildProject(api.root);
      await join(gone.id, user.id);
      const job = await runningJob(gone.id, user.id);
      await api.sql('update projects set pending_delete = true where id = $1', [gone.id]);
      expect((await by(job.token, deployments(own.projectId))).status).toBe(401);
    });

    it('are refused if they are altered, or sent as another credential', async () => {
      for (const wrong of ['', 'x', `${token}x`, token.slice(0, -1), ' ', '%00'])
        expect((await by(wrong, deployments(own.projectId))).status).toBe(401);
      expect((await api.anonymous.get(`${deployments(own.projectId)}?job_token[]=${token}`)).status).toBe(
        401,
      );
      const asPersonal = await api.as(token).get(deployments(own.projectId));
      expect(asPersonal.status).toBe(401);
    });

    it('are refused by routes that do not accept them', async () => {
      for (const [method, path] of [
        ['GET', '/user'],
        ['GET', `/projects/${own.projectId}`],
        ['GET', `/projects/${own.projectId}/variables`],
        ['GET', `/projects/${own.projectId}/job_token_scope`],
        ['POST', `/projects/${own.projectId}/job_token_scope/allowlist`],
        ['POST', '/projects'],
      ] as const)
        expect([path, (await by(token, path, method, method === 'POST' ? {} : undefined)).status]).toEqual([
          path,
          401,
        ]);
    });

    it('require the premium plan for deployments, which is checked first', async () => {
      await api.root.put('/application/settings', { license_plan: 'free' });
      const onFree = await by(token, deployments(own.projectId));
      const wrong = await by('wrong', deployments(own.projectId));
      await api.root.put('/application/settings', { license_plan: 'premium' });
      const onPremium = await by(token, deployments(own.projectId));
      await api.root.put('/application/settings', { license_plan: 'ultimate' });
      expect([onFree.status, onFree.body]).toEqual([403, { message: '403 Forbidden' }]);
      expect(wrong.status).toBe(401);
      expect(onPremium.status).toBe(200);
    });

    it('are refused when their user is blocked', async () => {
      const blocked = await createUser(api);
      await join(own.projectId, blocked.id);
      const job = await runningJob(own.projectId, blocked.id);
      await api.root.post(`/users/${blocked.id}/block`);
      const answer = await by(job.token, deployments(own.projectId));
      expect([answer.status, answer.body]).toEqual([
        403,
        { message: '403 Forbidden - Your account has been blocked.' },
      ]);
    });

    it('never support sudo', async () => {
      const job = await runningJob(own.projectId, 1);
      for (const credential of [token, job.token]) {
        const path = `${deployments(own.projectId)}?sudo=${user.id}`;
        const answer = await by(credential, path);
        expect(answer.status).toBe(403);
      }
      const byRoot = await by(job.token, `${deployments(own.projectId)}?sudo=${user.id}`);
      expect(byRoot.body).toEqual({
        message: '403 Forbidden - Must be authenticated using an OAuth or Personal Access Token to use sudo',
      });
    });

    it('give access to no other projects for jobs of administrators', async () => {
      const job = await runningJob(own.projectId, 1);
      expect((await by(job.token, deployments(own.projectId))).status).toBe(200);
      expect((await by(job.token, deployments(other.projectId))).status).toBe(404);
    });

    it('are ignored if a personal token is sent with them', async () => {
      const both = await user.client.get(deployments(other.projectId), { 'JOB-TOKEN': token });
      expect(both.status).toBe(200);
    });
  });

  describe('on other projects', () => {
    const scope = (suffix = ''): string => `/projects/${other.projectId}/job_token_scope${suffix}`;
    const reach = async (): Promise<number> => (await by(token, deployments(other.projectId))).status;

    it('have access if their project is in the allowlist, but not in the other direction', async () => {
      expect(await reach()).toBe(404);
      expect((await by(token, deployments(other.projectId))).body).toEqual({
        message: '404 Project Not Found',
      });
      // The allowlist of the job's own project does not limit which projects its jobs may access.
      await user.client.post(`/projects/${own.projectId}/job_token_scope/allowlist`, {
        target_project_id: other.projectId,
      });
      expect(await reach()).toBe(404);
      const added = await user.client.post(scope('/allowlist'), { target_project_id: own.projectId });
      expect([added.status, added.body]).toEqual([
        201,
        { source_project_id: other.projectId, target_project_id: own.projectId },
      ]);
      expect(await reach()).toBe(200);
      const listed = await user.client.get<{ id: number }[]>(scope('/allowlist'));
      expect(listed.body).toMatchObject([{ id: own.projectId, path_with_namespace: own.path }]);
      expect((await user.client.delete(scope(`/allowlist/${own.projectId}`))).status).toBe(204);
      expect(await reach()).toBe(404);
      expect((await user.client.delete(scope(`/allowlist/${own.projectId}`))).status).toBe(404);
      await user.client.delete(`/projects/${own.projectId}/job_token_scope/allowlist/${other.projectId}`);
    });

    it('have access to projects without an allowlist', async () => {
      expect((await user.client.get(scope())).body).toEqual({
        ...{ inbound_enabled: true, outbound_enabled: false },
      });
      expect((await user.client.send('PATCH', scope(), { enabled: false })).status).toBe(204);
      expect((await user.client.get(scope())).body).toMatchObject({ inbound_enabled: false });
      expect(await reach()).toBe(200);
      expect((await user.client.send('PATCH', scope(), { enabled: true })).status).toBe(204);
      expect(await reach()).toBe(404);
      expect((await user.client.send('PATCH', scope(), {})).status).toBe(400);
    });

    it('do not leave a project that restricts which projects its jobs may access', async () => {
      await user.client.send('PATCH', scope(), { enabled: false });
      const setOutbound = (on: boolean): Promise<Answer> =>
        user.client.put(`/projects/${own.projectId}`, { ci_job_token_scope_enabled: on });
      expect((await setOutbound(true)).status).toBe(200);
      const outward = await user.client.get(`/projects/${own.projectId}/job_token_scope`);
      expect(outward.body).toMatchObject({ outbound_enabled: true });
      expect(await reach()).toBe(404);
      expect((await by(token, deployments(own.projectId))).status).toBe(200);
      await api.sql(
        `insert into ci_job_token_links (source_project_id, target_project_id, direction) values ($1, $2, 'outbound')`,
        [own.projectId, other.projectId],
      );
      expect(await reach()).toBe(200);
      await user.client.send('PATCH', scope(), { enabled: true });
      expect(await reach()).toBe(404);
      await setOutbound(false);
      await api.sql('delete from ci_job_token_links');
    });

    it('are refused by public projects as well', async () => {
      const open = await buildProjectTeam(api, 'public');
      expect((await by(token, deployments(open.projectId))).status).toBe(404);
    });
  });

  describe('the allowlist', () => {
    const scope = (suffix = ''): string => `/projects/${own.projectId}/job_token_scope${suffix}`;

    it('is managed by Maintainers', async () => {
      const codes = async (client: ApiClient): Promise<number[]> => [
        (await client.get(scope())).status,
        (await client.send('PATCH', scope(), { enabled: true })).status,
        (await client.get(scope('/allowlist'))).status,
        (await client.post(scope('/allowlist'), { target_project_id: own.projectId })).status,
        (await client.delete(scope('/allowlist/0'))).status,
      ];
      expect(await codes(own.maintainer)).toEqual([200, 204, 200, 422, 404]);
      expect(await codes(own.developer)).toEqual([403, 403, 403, 403, 403]);
      expect(await codes(own.stranger)).toEqual([404, 404, 404, 404, 404]);
      expect(await codes(api.anonymous)).toEqual([401, 401, 401, 401, 401]);
    });

    const add = (target: unknown): Promise<Answer> =>
      own.maintainer.post(scope('/allowlist'), { target_project_id: target });

    it('accepts each project that the caller can see once, and not the project itself', async () => {
      const hidden = await buildProject(api.root);
      const open = await buildProject(api.root, { visibility: 'public' });
      for (const id of [hidden.id, 999_999])
        expect([(await add(id)).status, (await add(id)).body]).toEqual([
          404,
          { message: '404 Project Not Found' },
        ]);
      for (const wrong of ['x', [1], -1]) expect((await add(wrong)).status).toBe(400);
      expect((await own.maintainer.post(scope('/allowlist'), {})).body).toEqual({
        message: '400 (Bad request) "target_project_id" not given',
      });
      const self = await add(own.projectId);
      expect([self.status, self.body]).toEqual([
        422,
        {
          message: "422 Unprocessable Entity - Target project can't be the same as the source project",
        },
      ]);
      const answers = await Promise.all(Array.from({ length: 6 }, () => add(open.id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
      // A project that the caller can no longer see can still be removed.
      await api.root.put(`/projects/${open.id}`, { visibility: 'private' });
      expect((await own.maintainer.delete(scope(`/allowlist/${open.id}`))).status).toBe(204);
    });

    it('is limited in size', async () => {
      await api.sql(`insert into projects (namespace_id, creator_id, name, path, full_path, full_name)
        select 1, 1, 'l' || n, 'l' || n, 'root/l' || n, 'l' || n from generate_series(1, 100) n`);
      await api.sql(
        `insert into ci_job_token_links (source_project_id, target_project_id, direction)
           select id, $1, 'inbound' from projects where full_path like 'root/l%' and name ~ '^l[0-9]+$'`,
        [own.projectId],
      );
      expect((await add((await buildProject(api.root, { visibility: 'public' })).id)).status).toBe(422);
      const page = await api.root.get(scope('/allowlist?per_page=7'));
      expect(page.headers.get('X-Total')).toBe('100');
      await api.sql('delete from ci_job_token_links');
    });

    it('audits its changes', async () => {
      const count = async (): Promise<number> =>
        (
          await api.sql(`select 1 from audit_events where entity_type = 'Project' and entity_id = $1`, [
            own.projectId,
          ])
        ).length;
      const before = await count();
      await user.client.post(scope('/allowlist'), { target_project_id: other.projectId });
      await user.client.delete(scope(`/allowlist/${other.projectId}`));
      await user.client.send('PATCH', scope(), { enabled: false });
      await user.client.send('PATCH', scope(), { enabled: false });
      await user.client.send('PATCH', scope(), { enabled: true });
      expect(await count()).toBe(before + 4);
    });
  });
});
