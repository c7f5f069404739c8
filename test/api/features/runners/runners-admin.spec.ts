import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { clientOf, createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Made {
  readonly id: number;
  readonly token: string;
}

describe('runners managed by users', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let other: ProjectTeam;
  let group: BuiltGroup;
  /** Owner of the group, and Maintainer of both projects. */
  let owner: CreatedUser;
  let shared: Made;
  let ofGroup: Made;
  let ofProject: Made;
  const make = async (values: object, client: ApiClient = owner.client): Promise<Made> => {
    const answer = await client.post<Made>('/user/runners', values);
    if (answer.status !== 201) throw new Error(`POST /user/runners: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const makeOfProject = (values: object = {}): Promise<Made> =>
    make({ runner_type: 'project_type', project_id: team.projectId, ...values });
  const ids = ({ body }: Answer): number[] => (body as { id: number }[]).map(({ id }) => id);

  beforeAll(async () => {
    api = await borrowApi();
    [team, other, group] = await Promise.all([buildProjectTeam(api), buildProjectTeam(api), buildGroup(api)]);
    owner = await createUser(api);
    for (const place of [`/projects/${team.projectId}`, `/projects/${other.projectId}`])
      await api.root.post(`${place}/members`, { user_id: owner.id, access_level: 40 });
    await api.root.post(`/groups/${group.id}/members`, { user_id: owner.id, access_level: 50 });
    shared = await make({ runner_type: 'instance_type', tag_list: ['linux'] }, api.root);
    ofGroup = await make({ runner_type: 'group_type', group_id: group.id, tag_list: 'linux,docker' });
    ofProject = await makeOfProject({ description: 'mine', maintenance_note: 'in the cellar' });
  });
  afterAll(() => api.close());

  describe('created by users', () => {
    it('return their token only once', async () => {
      const made = await owner.client.post('/user/runners', {
        ...{ runner_type: 'project_type', project_id: team.projectId, description: 'new', paused: true },
        ...{ locked: true, run_untagged: false, tag_list: ['a', ' b ', 'a'], access_level: 'ref_protected' },
        ...{ maximum_timeout: 600, maintenance_note: 'note' },
      });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        id: expect.any(Number) as unknown,
        token: expect.stringMatching(/^glrt-[\w-]{20}$/) as unknown,
        token_expires_at: null,
      });
      const shown = await owner.client.get(`/runners/${String(made.body['id'])}`);
      expect(shown.body).toMatchObject({
        ...{ description: 'new', active: false, paused: true, is_shared: false, runner_type: 'project_type' },
        ...{ ip_address: '', online: false, status: 'never_contacted', locked: true, run_untagged: false },
        ...{ tag_list: ['a', 'b'], access_level: 'ref_protected', maximum_timeout: 600, groups: [] },
        ...{ maintenance_note: 'note', contacted_at: null, version: null },
        projects: [{ id: team.projectId, path_with_namespace: team.path }],
      });
      expect(shown.text).not.toContain('token');
      const [row] = await api.sql<{ digest: string }>(
        `select encode(token_digest, 'escape') as digest from ci_runners where id = $1`,
        [made.body['id']],
      );
      expect(row?.digest).not.toContain('glrt');
      expect((await owner.client.delete(`/runners/${String(made.body['id'])}`)).status).toBe(204);
    });

    it.each([
      [{}, '400 (Bad request) "runner_type" not given'],
      [{ runner_type: 'group_type' }, '400 (Bad request) "group_id" not given'],
      [{ runner_type: 'project_type' }, '400 (Bad request) "project_id" not given'],
      [{ runner_type: 'x' }, { runner_type: ['does not have a valid value'] }],
      [{ maximum_timeout: 599 }, { maximum_timeout: ['needs to be at least 10 minutes'] }],
      [
        { run_untagged: false },
        { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] },
      ],
      [
        { tag_list: Array.from({ length: 51 }, (_, n) => `t${n}`) },
        { tags_list: ['Too many tags specified. Please limit the number of tags to 50'] },
      ],
      [{ access_level: 'all' }, { access_level: ['does not have a valid value'] }],
      [{ description: ['a'] }, { description: ['is invalid'] }],
    ])('refuse %j', async (values, message) => {
      const isBare = Object.keys(values).length === 0 || 'runner_type' in values;
      const answer = await owner.client.post('/user/runners', {
        ...(isBare ? {} : { runner_type: 'project_type', project_id: team.projectId }),
        ...values,
      });
      expect([answer.status, answer.body]).toEqual([400, { message }]);
    });

    it('need the right in the project or group, and a token with the scope', async () => {
      const code = async (client: ApiClient, values: object): Promise<number> =>
        (await client.post('/user/runners', values)).status;
      const inProject = { runner_type: 'project_type', project_id: team.projectId };
      const inGroup = { runner_type: 'group_type', group_id: group.id };
      expect(await code(team.developer, inProject)).toBe(403);
      expect(await code(team.stranger, inProject)).toBe(404);
      expect(await code(team.maintainer, inProject)).toBe(201);
      expect(await code(team.maintainer, inGroup)).toBe(404);
      expect(await code(owner.client, { runner_type: 'instance_type' })).toBe(403);
      expect(await code(api.anonymous, inProject)).toBe(401);
      expect(await code(await clientOf(api, owner.id, ['create_runner']), inGroup)).toBe(201);
      expect(await code(await clientOf(api, owner.id, ['read_api']), inGroup)).toBe(403);
    });
  });

  describe('listed', () => {
    it('are those that the caller manages, with filters', async () => {
      const own = ids(await owner.client.get('/runners?per_page=100'));
      expect(own).toEqual(expect.arrayContaining([ofGroup.id, ofProject.id]));
      expect(own).not.toContain(shared.id);
      expect(ids(await team.developer.get('/runners'))).toEqual([]);
      expect((await api.anonymous.get('/runners')).status).toBe(401);
      expect(ids(await owner.client.get('/runners?tag_list=linux,docker'))).toEqual([ofGroup.id]);
      expect(ids(await owner.client.get('/runners?tag_list[]=linux&tag_list[]=none'))).toEqual([]);
      expect(ids(await owner.client.get('/runners?type=group_type&tag_list=docker'))).toEqual([ofGroup.id]);
      const byId = '/runners?pagination=keyset&order_by=id&sort=asc&per_page=1';
      expect(ids(await owner.client.get(byId))).toEqual([Math.min(...own)]);
      for (const bad of ['type=x', 'status=x', 'scope=x', 'paused=x', 'tag_list[a]=b'])
        expect((await owner.client.get(`/runners?${bad}`)).status).toBe(400);
    });

    it('show when they last contacted the service', async () => {
      const runner = await makeOfProject({ tag_list: ['contact'] });
      const list = async (filter: string): Promise<number[]> =>
        ids(await owner.client.get(`/runners?tag_list=contact&${filter}`));
      const at = async (sql: string): Promise<unknown> => {
        await api.sql(`update ci_runners set contacted_at = ${sql} where id = $1`, [runner.id]);
        return (await owner.client.get(`/runners/${runner.id}`)).body['status'];
      };
      for (const [sql, status] of [
        ['null', 'never_contacted'],
        [`now() - interval '119 minutes'`, 'online'],
        [`now() - interval '121 minutes'`, 'offline'],
        [`now() - interval '4 months'`, 'stale'],
      ] as const) {
        expect(await at(sql)).toBe(status);
        expect(await list(`status=${status}`)).toEqual([runner.id]);
        expect(await list(`status=${status === 'online' ? 'offline' : 'online'}`)).toEqual([]);
      }
      await at('null');
      expect(await list('status=not_connected')).toEqual([runner.id]);
      await api.sql(`update ci_runners set created_at = now() - interval '4 months' where id = $1`, [
        runner.id,
      ]);
      expect(await at('null')).toBe('stale');
      await owner.client.delete(`/runners/${runner.id}`);
    });

    it('mark deprecated attributes', async () => {
      const plain = await owner.client.get('/runners?paused=false');
      expect(plain.headers.get('Deprecation')).toBe('@1645488000');
      expect(plain.headers.get('Sunset')).toContain('2028');
      expect(ids(await owner.client.get('/runners?scope=paused'))).toEqual([]);
      expect(ids(await owner.client.get('/runners?status=active'))).toContain(ofProject.id);
      const all = await api.root.get('/runners/all?scope=shared');
      expect(ids(all)).toEqual([shared.id]);
      expect((await owner.client.get('/runners/all')).status).toBe(403);
    });

    it('of a project or group include those that are shared with it', async () => {
      const project = await buildProject(api.root, { namespace_id: group.id });
      const list = async (): Promise<number[]> =>
        ids(await owner.client.get(`/projects/${project.id}/runners`));
      const own = await make({ runner_type: 'project_type', project_id: project.id });
      expect(await list()).toEqual(expect.arrayContaining([shared.id, ofGroup.id, own.id]));
      await api.root.put(`/projects/${project.id}`, {
        ...{ shared_runners_enabled: false, group_runners_enabled: false },
      });
      expect(await list()).toEqual([own.id]);
      const below = await buildGroup(api, { parent_id: group.id });
      const inGroup = ids(await owner.client.get(`/groups/${below.id}/runners`));
      expect(inGroup).toEqual(expect.arrayContaining([shared.id, ofGroup.id]));
      expect(inGroup).not.toContain(own.id);
      expect((await team.maintainer.get(`/groups/${below.id}/runners`)).status).toBe(404);
      expect((await team.developer.get(`/projects/${team.projectId}/runners`)).status).toBe(403);
    });
  });

  it('are shown to users who manage them, and shared ones to everyone', async () => {
    const codes = async (client: ApiClient): Promise<number[]> =>
      Promise.all(
        [shared, ofGroup, ofProject, { id: 0 }].map(
          async ({ id }) => (await client.get(`/runners/${id}`)).status,
        ),
      );
    expect(await codes(owner.client)).toEqual([200, 200, 200, 404]);
    expect(await codes(team.maintainer)).toEqual([200, 403, 200, 404]);
    expect(await codes(team.developer)).toEqual([200, 403, 403, 404]);
    expect(await codes(api.root)).toEqual([200, 200, 200, 404]);
    expect(await codes(api.anonymous)).toEqual([401, 401, 401, 401]);
    expect((await owner.client.get(`/runners/${ofGroup.id}`)).body).toMatchObject({
      groups: [{ id: group.id, name: group.name }],
      projects: [],
    });
    await api.root.put(`/runners/${shared.id}`, { maintenance_note: 'for administrators' });
    expect((await owner.client.get(`/runners/${shared.id}`)).body['maintenance_note']).toBeNull();
    // The Maintainer of this project cannot see the project of another team.
    await api.root.post(`/projects/${other.projectId}/runners`, { runner_id: ofProject.id });
    const shown = await team.maintainer.get<{ projects: { id: number }[] }>(`/runners/${ofProject.id}`);
    expect(shown.body.projects.map(({ id }) => id)).toEqual([team.projectId]);
    await api.root.delete(`/projects/${other.projectId}/runners/${ofProject.id}`);
  });

  it('can be changed by users who manage them', async () => {
    const path = `/runners/${ofProject.id}`;
    const changed = await team.maintainer.put(path, { paused: true, tag_list: 'x, y', maximum_timeout: 700 });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { active: false, paused: true, tag_list: ['x', 'y'], maximum_timeout: 700, description: 'mine' },
    ]);
    const again = await owner.client.put(path, { active: true, tag_list: [], maximum_timeout: null });
    expect(again.body).toMatchObject({ paused: false, tag_list: [], maximum_timeout: null });
    expect(again.headers.get('Deprecation')).not.toBeNull();
    for (const [values, status] of [
      [{}, 400],
      [{ maximum_timeout: 1 }, 400],
      [{ run_untagged: false }, 400],
      [{ paused: 'maybe' }, 400],
    ] as const)
      expect((await owner.client.put(path, values)).status).toBe(status);
    expect((await team.developer.put(path, { paused: true })).status).toBe(403);
    expect((await owner.client.put(`/runners/${shared.id}`, { paused: true })).status).toBe(403);
    expect((await owner.client.put('/runners/0', { paused: true })).status).toBe(404);
    expect((await owner.client.get(path)).body).toMatchObject({ paused: false });
  });

  it('can get another token', async () => {
    const digest = async (): Promise<unknown> =>
      (
        await api.sql(`select encode(token_digest, 'hex') as d from ci_runners where id = $1`, [ofGroup.id])
      )[0];
    const before = await digest();
    const path = `/runners/${ofGroup.id}/reset_authentication_token`;
    const answer = await owner.client.post<Made>(path);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^glrt-/) as unknown,
      token_expires_at: null,
    });
    expect(answer.body.token).not.toBe(ofGroup.token);
    expect(await digest()).not.toEqual(before);
    expect((await team.maintainer.post(path)).status).toBe(403);
    await api.root.put(`/projects/${team.projectId}`, { runner_token_expiration_interval: 86_400 });
    const expiring = await owner.client.post(`/runners/${ofProject.id}/reset_authentication_token`);
    const expiry = Date.parse(expiring.body['token_expires_at'] as string);
    expect(Math.abs(expiry - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  it('are assigned to further projects and removed from them', async () => {
    const runner = await makeOfProject();
    const at = `/projects/${other.projectId}/runners`;
    const assign = (client: ApiClient, id: number): Promise<Answer> => client.post(at, { runner_id: id });
    expect((await assign(other.maintainer, runner.id)).body).toEqual({
      message: '403 Forbidden - No access granted',
    });
    expect((await assign(owner.client, ofGroup.id)).status).toBe(403);
    expect((await assign(owner.client, shared.id)).status).toBe(403);
    expect((await assign(owner.client, 0)).status).toBe(404);
    await owner.client.put(`/runners/${runner.id}`, { locked: true });
    expect((await assign(owner.client, runner.id)).body).toEqual({
      message: '403 Forbidden - Runner is locked',
    });
    await owner.client.put(`/runners/${runner.id}`, { locked: false });
    const answers = await Promise.all(Array.from({ length: 4 }, () => assign(owner.client, runner.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect((await owner.client.delete(`/runners/${runner.id}`)).body).toEqual({
      message: '403 Forbidden - Runner associated with more than one project',
    });
    const taken = await Promise.all(
      [team, other].map(({ projectId }) =>
        owner.client.delete(`/projects/${projectId}/runners/${runner.id}`),
      ),
    );
    // The second request is about the last one.
    expect(taken.map(({ status }) => status).sort()).toEqual([204, 403]);
    expect(taken.find(({ status }) => status === 403)?.body).toEqual({
      message:
        '403 Forbidden - Only one project associated with the runner. Please remove the runner instead',
    });
    expect((await team.maintainer.delete(`/projects/${team.projectId}/runners/${shared.id}`)).status).toBe(
      404,
    );
    const header = { 'If-Unmodified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' };
    expect((await owner.client.delete(`/runners/${runner.id}`, header)).status).toBe(412);
    expect((await owner.client.delete(`/runners/${runner.id}`)).status).toBe(204);
    expect((await owner.client.delete(`/runners/${runner.id}`)).status).toBe(404);
  });
});
