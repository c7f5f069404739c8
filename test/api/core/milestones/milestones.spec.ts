import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';

interface Milestone {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly updated_at: string;
}

describe('milestones', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let group: BuiltGroup;
  const told: [string, string | null][] = [];
  const at = (suffix: string | number = '', project = team.projectId): string =>
    `/projects/${project}/milestones${suffix === '' ? '' : `/${suffix}`}`;
  const ofGroup = (suffix: string | number = '', id = group.id): string =>
    `/groups/${id}/milestones${suffix === '' ? '' : `/${suffix}`}`;
  const make = async (path: string, title: string, values: object = {}): Promise<Milestone> => {
    const answer = await api.root.post<Milestone>(path, { title, ...values });
    expect([answer.status, answer.body]).toMatchObject([201, { title }]);
    return answer.body;
  };
  const titles = async (path: string): Promise<string[]> =>
    (await api.root.get<Milestone[]>(path)).body.map(({ title }) => title);
  const issue = async (project: number, milestoneId: number): Promise<void> => {
    await api.sql(
      `insert into issues (project_id, iid, title, milestone_id)
       select $1, coalesce(max(iid), 0) + 1, 'Broken', $2 from issues where project_id = $1`,
      [project, milestoneId],
    );
  };
  const milestonesOf = async (project: number): Promise<object[]> =>
    api.sql(
      'select m.title, m.project_id, m.group_id from issues i join milestones m on m.id = i.milestone_id where i.project_id = $1',
      [project],
    );

  beforeAll(async () => {
    api = await startApi();
    team = await buildProjectTeam(api);
    group = await buildGroup(api);
    api.app.get(DomainEvents).on(ActivityHappened, ({ action, target }) => {
      if (target?.type === 'Milestone') told.push([action, target.title]);
    });
  });
  afterAll(() => api.close());

  it('are created, read, changed, closed and removed', async () => {
    const dates = { start_date: '2020-01-01', due_date: '2020-02-01' };
    const created = await team.reporter.post<Milestone>(at(), { title: ' v1 ', ...dates });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        iid: 1,
        project_id: team.projectId,
        title: 'v1',
        description: null,
        state: 'active',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        ...dates,
        expired: true,
        web_url: `http://forgeplane.test/${team.path}/-/milestones/1`,
      },
    ]);
    const { id } = created.body;
    expect((await team.guest.get(at(id))).body).toEqual(created.body);
    const changed = await team.reporter.put(at(id), {
      description: 'First',
      due_date: null,
      state_event: 'close',
    });
    const same = { title: 'v1', due_date: '', state_event: 'close' };
    expect((await team.reporter.put(at(id), same)).body).toEqual(changed.body);
    expect([changed.status, changed.body]).toMatchObject([
      200,
      {
        title: 'v1',
        description: 'First',
        due_date: null,
        start_date: '2020-01-01',
        state: 'closed',
        expired: false,
      },
    ]);
    expect((await team.reporter.put(at(id), { state_event: 'close' })).status).toBe(200);
    expect((await team.reporter.put(at(id), { state_event: 'activate' })).body).toMatchObject({
      state: 'active',
    });
    await issue(team.projectId, id);
    const before = { 'If-Unmodified-Since': new Date(0).toUTCString() };
    expect((await team.reporter.delete(at(id), before)).status).toBe(412);
    expect((await team.reporter.delete(at(id))).status).toBe(204);
    for (const answer of [
      await team.reporter.get(at(id)),
      await team.reporter.put(at(id), { title: 'x' }),
      await team.reporter.delete(at(id)),
    ])
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Milestone Not Found' }]);
    expect(await milestonesOf(team.projectId)).toEqual([]);
    expect(told.splice(0)).toEqual([
      ['created', 'v1'],
      ['closed', 'v1'],
      ['reopened', 'v1'],
      ['destroyed', 'v1'],
    ]);
    expect((await make(at(), 'v2')).iid).toBe(2);
  });

  it('are validated', async () => {
    const { id } = await make(at(), 'right', { start_date: '2030-01-02' });
    await make(at(), '😀'.repeat(255));
    const order = 'milestone {:due_date=>["must be greater than start date"]}';
    const taken = 'milestone {:title=>["already being used for another group or project milestone."]}';
    for (const [method, path, body, message] of [
      ['POST', at(), {}, '400 (Bad request) "title" not given'],
      ['POST', at(), { title: ' ' }, 'Failed to create milestone {:title=>["can\'t be blank"]}'],
      [
        'POST',
        at(),
        { title: 'x'.repeat(256) },
        'Failed to create milestone {:title=>["is too long (maximum is 255 characters)"]}',
      ],
      ['POST', at(), { title: 'right' }, `Failed to create ${taken}`],
      [
        'POST',
        at(),
        { title: 'x', start_date: '2030-01-02', due_date: '2030-01-01' },
        `Failed to create ${order}`,
      ],
      ['PUT', at(id), { due_date: '2030-01-01' }, `Failed to update ${order}`],
      ['PUT', at(id), { title: 'v2' }, `Failed to update ${taken}`],
      ['PUT', at(id), {}, { base: ['at least one parameter must be provided'] }],
      ['PUT', at(id), { state_event: 'open' }, { state_event: ['does not have a valid value'] }],
      ['POST', at(), { title: 'x', due_date: '2030-02-30' }, { due_date: ['is invalid'] }],
    ] as const) {
      const answer = await team.reporter.send(method, path, body);
      expect([answer.status, answer.body]).toEqual([400, { message }]);
    }
  });

  it('can be read by everyone who sees the project, and changed by Reporters', async () => {
    const open = await buildProjectTeam(api, 'public');
    const { id } = await make(at('', open.projectId), 'open');
    expect((await api.anonymous.get(at('', open.projectId))).status).toBe(200);
    for (const [method, path] of [
      ['POST', at('', open.projectId)],
      ['PUT', at(id, open.projectId)],
      ['DELETE', at(id, open.projectId)],
      ['POST', at(`${id}/promote`, open.projectId)],
    ] as const) {
      const body = method === 'DELETE' ? undefined : { title: 'new' };
      expect((await open.guest.send(method, path, body)).status).toBe(403);
      expect((await open.stranger.send(method, path, body)).status).toBe(403);
      expect((await api.anonymous.send(method, path, body)).status).toBe(401);
    }
    expect((await team.reporter.put(at(id), { title: 'new' })).status).toBe(404);
    expect((await team.stranger.get(at())).status).toBe(404);
  });

  it('of groups have their own numbers, and are listed below on request', async () => {
    const sub = await buildGroup(api, { parent_id: group.id });
    const project = (await buildProject(api.root, { namespace_id: sub.id })).id;
    const top = await make(ofGroup(), 'top');
    expect(top).toEqual(
      expect.objectContaining({
        iid: 1,
        group_id: group.id,
        web_url: `http://forgeplane.test/groups/${group.full_path}/-/milestones/1`,
      }),
    );
    expect(top).not.toHaveProperty('project_id');
    const inner = await make(at('', project), 'inner');
    const second = await make(at('', project), 'second 100%');
    for (const path of [at('', project), ofGroup('', sub.id)])
      expect((await api.root.post(path, { title: 'top' })).status).toBe(400);
    expect((await api.root.post(ofGroup(), { title: 'inner' })).status).toBe(400);

    expect(await titles(at('', project))).toEqual(['second 100%', 'inner']);
    expect(await titles(`${at('', project)}?include_parent_milestones=true`)).toEqual([
      'second 100%',
      'inner',
      'top',
    ]);
    expect(await titles(`${ofGroup('', sub.id)}?include_ancestors=true`)).toEqual(['top']);
    expect(await titles(ofGroup('', sub.id))).toEqual([]);
    expect(await titles(`${at('', project)}?iids[]=${inner.iid}`)).toEqual(['inner']);
    expect(await titles(`${at('', project)}?title=inner`)).toEqual(['inner']);
    expect(await titles(`${at('', project)}?search=0%25`)).toEqual(['second 100%']);
    await api.root.put(at(second.id, project), { state_event: 'close' });
    expect(await titles(`${at('', project)}?state=closed`)).toEqual(['second 100%']);
    expect(await titles(`${at('', project)}?updated_after=2999-01-01`)).toEqual([]);
    expect(await titles(`${at('', project)}?updated_before=2999-01-01&state=active`)).toEqual(['inner']);
    const { updated_at: time } = (await api.root.get<Milestone>(at(inner.id, project))).body;
    const then = `title=inner&updated_after=${time}&updated_before=${time}`;
    expect(await titles(`${at('', project)}?${then}`)).toEqual(['inner']);
    const page = await api.root.get<Milestone[]>(`${at('', project)}?per_page=1`);
    expect([page.headers.get('x-total'), page.body.length]).toEqual(['2', 1]);
    expect((await api.root.get(at(top.id, project))).status).toBe(404);
  });

  it('are promoted to milestones of the group, and merged with those of the same title in its projects', async () => {
    const home = await buildGroup(api);
    const [one, two] = [
      (await buildProject(api.root, { namespace_id: home.id })).id,
      (await buildProject(api.root, { namespace_id: home.id })).id,
    ];
    const [first, second] = [await make(at('', one), 'same'), await make(at('', two), 'same')];
    await issue(one, first.id);
    await issue(two, second.id);
    const promoted = await api.root.post(at(`${first.id}/promote`, one));
    expect([promoted.status, promoted.body]).toMatchObject([
      200,
      { title: 'same', group_id: home.id, iid: 1 },
    ]);
    const same = [{ title: 'same', project_id: null, group_id: home.id }];
    expect([await milestonesOf(one), await milestonesOf(two)]).toEqual([same, same]);
    expect(await titles(at('', two))).toEqual([]);
    expect((await api.root.post(at(`${first.id}/promote`, one))).status).toBe(404);
    const personal = await make(at(), 'personal');
    expect((await api.root.post(at(`${personal.id}/promote`))).body).toEqual({
      message: 'Project does not belong to a group.',
    });

    // A project that is transferred keeps the milestones that it uses, as its own.
    const away = await buildGroup(api);
    await api.root.put(`/projects/${one}/transfer`, { namespace: away.id });
    expect(await milestonesOf(one)).toEqual([{ title: 'same', project_id: one, group_id: null }]);
    await api.root.post(`/groups/${home.id}/transfer`, { group_id: away.id });
    expect(await milestonesOf(two)).toEqual(same);
  });

  it('are not promoted to a group that has one of the same title, as after a transfer', async () => {
    const top = await buildGroup(api);
    const sub = await buildGroup(api, { parent_id: top.id });
    for (const [parent, title] of [
      [top, 'above'],
      [sub, 'beside'],
    ] as const)
      await make(ofGroup('', parent.id), title);
    const moved = (await buildProject(api.root)).id;
    const ids = [(await make(at('', moved), 'above')).id, (await make(at('', moved), 'beside')).id];
    await api.root.put(`/projects/${moved}/transfer`, { namespace: sub.id });
    for (const id of ids) {
      const refused = await api.root.post(at(`${id}/promote`, moved));
      expect([refused.status, refused.body]).toEqual([
        400,
        {
          message:
            'Failed to update milestone {:title=>["already being used for another group or project milestone."]}',
        },
      ]);
    }
    expect(await titles(at('', moved))).toHaveLength(2);
  });

  it('remain consistent with 50 changes at once: unique numbers and titles, nothing lost', async () => {
    const inner = (await buildProject(api.root, { namespace_id: group.id })).id;
    const { id } = await make(at('', inner), 'busy');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 5 === 0
          ? api.root.post(index % 10 ? at('', inner) : ofGroup(), { title: 'once' })
          : index % 5 === 1
            ? api.root.put(at(id, inner), { description: 'kept' })
            : index % 5 === 2
              ? api.root.put(at(id, inner), { due_date: '2040-01-01' })
              : api.root.post(at('', inner), { title: `new ${index}` }),
      ),
    );
    const bad = answers.filter(({ status }) => status !== 200 && status !== 201);
    expect(bad.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 400));
    expect((await api.root.get(at(id, inner))).body).toMatchObject({
      description: 'kept',
      due_date: '2040-01-01',
    });
    const list = `${at('', inner)}?per_page=100`;
    const numbers = (await api.root.get<Milestone[]>(list)).body.map(({ iid }) => iid).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const all = await titles(`${list}&include_ancestors=true`);
    expect(all.filter((title) => title === 'once')).toHaveLength(1);
    expect(all.filter((title) => title.startsWith('new'))).toHaveLength(20);
  });
});
