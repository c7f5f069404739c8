import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GroupDeleted } from '#core/groups/deletion/group-deleted.event.js';
import { PurgeProjectService } from '#core/projects/deletion/purge-project.service.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { buildJob, buildPipeline } from '../../../support/builders/ci.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;
let group: BuiltGroup;
/** Owner of the group, Maintainer of the project. */
let owner: CreatedUser;

const make = async (values: object, client: ApiClient = owner.client): Promise<number> =>
  (await client.post<{ id: number }>('/user/runners', values)).body.id;

const ids = ({ body }: Answer): number[] => (body as { id: number }[]).map(({ id }) => id);

beforeAll(async () => {
  api = await borrowApi();
  [team, group] = await Promise.all([buildProjectTeam(api), buildGroup(api)]);
  owner = await createUser(api);
  await api.root.post(`/projects/${team.projectId}/members`, { user_id: owner.id, access_level: 40 });
  await api.root.post(`/groups/${group.id}/members`, { user_id: owner.id, access_level: 50 });
});
afterAll(() => api.close());

it('the jobs of a runner are shown for projects whose jobs the caller may read', async () => {
  const other = await buildProject(api.root);
  const runner = await make({ runner_type: 'project_type', project_id: team.projectId });
  await api.root.post(`/projects/${other.id}/runners`, { runner_id: runner });
  const jobOf = async (projectId: number, status: 'success' | 'failed'): Promise<number> => {
    const pipeline = await buildPipeline(api, projectId);
    return (await buildJob(api, pipeline, { status, runnerId: runner })).id;
  };
  const first = await jobOf(team.projectId, 'success');
  const hidden = await jobOf(other.id, 'success');
  const last = await jobOf(team.projectId, 'failed');
  const path = `/runners/${runner}/jobs`;
  expect(ids(await owner.client.get(path))).toEqual([last, first]);
  expect(ids(await owner.client.get(`${path}?order_by=id&sort=asc`))).toEqual([first, last]);
  expect(ids(await owner.client.get(`${path}?status=failed`))).toEqual([last]);
  expect(ids(await api.root.get(path))).toEqual([last, hidden, first]);
  expect((await api.root.get(path)).body).toMatchObject([
    { id: last, status: 'failed', runner: { id: runner, runner_type: 'project_type' } },
    {},
    {},
  ]);
  expect((await owner.client.get(`${path}?status=pending`)).status).toBe(400);
  expect((await owner.client.get(`${path}?order_by=name`)).status).toBe(400);
  expect((await team.developer.get(path)).status).toBe(403);
  expect((await owner.client.get('/runners/0/jobs')).status).toBe(404);
  const ofGroup = await make({ runner_type: 'group_type', group_id: group.id });
  const inGroup = await buildProject(api.root, { namespace_id: group.id });
  const pipeline = await buildPipeline(api, inGroup.id);
  const grouped = await buildJob(api, pipeline, { status: 'success', runnerId: ofGroup });
  expect(ids(await owner.client.get(`/runners/${ofGroup}/jobs`))).toEqual([grouped.id]);
  const shared = await make({ runner_type: 'instance_type' }, api.root);
  expect((await owner.client.get(`/runners/${shared}/jobs`)).status).toBe(403);
});

it('the machines of a runner are shown', async () => {
  const runner = await make({ runner_type: 'group_type', group_id: group.id });
  await api.sql(
    `insert into ci_runner_managers (runner_id, system_id, version, contacted_at) values ($1, 's_a', '16.5.0', now()), ($1, 'r_b', null, null)`,
    [runner],
  );
  const path = `/runners/${runner}/managers`;
  expect((await owner.client.get(path)).body).toMatchObject([
    { system_id: 's_a', version: '16.5.0', status: 'online', ip_address: '' },
    { system_id: 'r_b', version: null, status: 'never_contacted', contacted_at: null },
  ]);
  expect((await team.maintainer.get(path)).status).toBe(403);
});

it('registration tokens can be replaced', async () => {
  const project = `/projects/${team.projectId}`;
  const ofGroup = `/groups/${group.id}`;
  const codes = async (client: ApiClient): Promise<number[]> =>
    Promise.all(
      ['', project, ofGroup].map(
        async (place) => (await client.post(`${place}/runners/reset_registration_token`)).status,
      ),
    );
  expect(await codes(api.anonymous)).toEqual([401, 401, 401]);
  expect(await codes(team.developer)).toEqual([403, 403, 404]);
  expect(await codes(team.maintainer)).toEqual([403, 201, 404]);
  expect(await codes(owner.client)).toEqual([403, 201, 201]);
  for (const [place, shown, field] of [
    ['', '/application/settings', 'runners_registration_token'],
    [project, project, 'runners_token'],
    [ofGroup, ofGroup, 'runners_token'],
  ] as const) {
    const former = (await api.root.get(shown)).body[field];
    const answer = await api.root.post(`${place}/runners/reset_registration_token`);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^GR1348941[\w-]{20}$/) as unknown,
      token_expires_at: null,
    });
    expect(answer.body['token']).not.toBe(former);
    expect((await api.root.get(shown)).body[field]).toBe(answer.body['token']);
  }
});

it('a registration token whose key is lost is not shown until it is reset', async () => {
  const { id: projectId } = await buildProject(api.root);
  const { id: groupId } = await buildGroup(api);
  for (const [table, id, place] of [
    ['projects', projectId, `/projects/${projectId}`],
    ['namespaces', groupId, `/groups/${groupId}`],
  ] as const) {
    await api.sql(`update ${table} set runners_token = 'sealed by another' where id = $1`, [id]);
    const shown = await api.root.get(place);
    expect([shown.status, shown.body['runners_token']]).toEqual([200, null]);
    const { body } = await api.root.post(`${place}/runners/reset_registration_token`);
    expect((await api.root.get(place)).body['runners_token']).toBe(body['token']);
  }
});

it('changes are audited in the scope of the runner', async () => {
  const names = async (path: string): Promise<string[]> => {
    const { body } = await api.root.get<{ details: { event_name?: string } }[]>(`${path}?per_page=100`);
    return body.flatMap(({ details }) => details.event_name ?? []).sort();
  };
  const project = await buildProject(api.root);
  const at = `/projects/${project.id}`;
  const runner = await make({ runner_type: 'project_type', project_id: project.id }, api.root);
  await api.root.put(`/runners/${runner}`, { paused: true });
  await api.root.post(`/runners/${runner}/reset_authentication_token`);
  await api.root.post(`/projects/${team.projectId}/runners`, { runner_id: runner });
  await api.root.delete(`/projects/${team.projectId}/runners/${runner}`);
  await api.root.post(`${at}/runners/reset_registration_token`);
  await api.root.delete(`/runners/${runner}`);
  expect(await names(`${at}/audit_events`)).toEqual([
    'runner_created',
    'runner_token_reset',
    'runner_unregistered',
    'runner_updated',
    'runners_registration_token_reset',
  ]);
  expect(await names(`/projects/${team.projectId}/audit_events`)).toEqual(
    expect.arrayContaining(['runner_assigned', 'runner_unassigned']),
  );
  const shared = await make({ runner_type: 'instance_type' }, api.root);
  await api.root.delete(`/runners/${shared}`);
  expect(await names('/audit_events')).toEqual(expect.arrayContaining(['runner_unregistered']));
});

it('the number of runners of a project or group is limited', async () => {
  const project = await buildProject(api.root);
  const limits = (count: number): Promise<Answer> =>
    api.root.put('/application/plan_limits', {
      ...{ plan_name: 'default', ci_registered_project_runners: count },
    });
  await limits(1);
  const values = { runner_type: 'project_type', project_id: project.id };
  const answers = await Promise.all([1, 2, 3].map(() => api.root.post('/user/runners', values)));
  await limits(1000);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.body).toEqual({
    message: { base: ['Maximum number of ci registered project runners (1) exceeded'] },
  });
});

it('runners are removed with their only owner, but their jobs are kept', async () => {
  const [first, second] = [await buildProject(api.root), await buildProject(api.root)];
  const alone = await make({ runner_type: 'project_type', project_id: first.id }, api.root);
  const both = await make({ runner_type: 'project_type', project_id: first.id }, api.root);
  await api.root.post(`/projects/${second.id}/runners`, { runner_id: both });
  const ofGroup = await make({ runner_type: 'group_type', group_id: group.id });
  const pipeline = await buildPipeline(api, second.id);
  const job = await buildJob(api, pipeline, { status: 'success', runnerId: both });
  await api.app.get(Transactions).run(async (tx) => {
    await api.app.get(PurgeProjectService).remove(tx, first.id);
    await api.app.get(DomainEvents).publish(tx, new GroupDeleted(group.id));
  });
  for (const [id, status] of [
    [alone, 404],
    [both, 200],
    [ofGroup, 404],
  ] as const)
    expect((await api.root.get(`/runners/${id}`)).status).toBe(status);
  expect((await api.root.delete(`/runners/${both}`)).status).toBe(204);
  expect((await api.root.get(`/projects/${second.id}/jobs/${job.id}`)).body).toMatchObject({ runner: null });
});
