import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { LabelNames } from '#core/labels/links/label-names.js';
import { startApi, type TestApi } from '../support/api.js';
import { buildGroup, type BuiltGroup } from '../support/builders/group.js';
import { buildProject } from '../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../support/builders/project-team.js';

interface Label {
  readonly id: number;
  readonly name: string;
  readonly priority: number | null;
}

describe('labels', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let group: BuiltGroup;
  let shop: number;
  const at = (suffix: string | number = '', project = team.projectId): string =>
    `/projects/${project}/labels${suffix === '' ? '' : `/${encodeURIComponent(suffix)}`}`;
  const ofGroup = (suffix: string | number = '', id = group.id): string =>
    `/groups/${id}/labels${suffix === '' ? '' : `/${encodeURIComponent(suffix)}`}`;
  const make = async (path: string, name: string, values: object = {}): Promise<Label> => {
    const answer = await api.root.post<Label>(path, { name, color: '#FFAABB', ...values });
    expect([answer.status, answer.body]).toMatchObject([201, { name }]);
    return answer.body;
  };
  const names = async (path: string, client = api.root): Promise<string[]> =>
    (await client.get<Label[]>(path)).body.map(({ name }) => name);
  const issue = async (project: number, labelId: number, values = "'opened', false"): Promise<void> => {
    const [row] = await api.sql<{ id: number }>(
      `insert into issues (project_id, iid, title, state, confidential)
       select $1, coalesce(max(iid), 0) + 1, 'Broken', ${values} from issues where project_id = $1 returning id`,
      [project],
    );
    await api.sql('insert into issue_labels (issue_id, label_id) values ($1, $2)', [row?.id, labelId]);
  };

  beforeAll(async () => {
    api = await startApi();
    team = await buildProjectTeam(api);
    group = await buildGroup(api, { visibility: 'public' });
    shop = (await buildProject(api.root, { namespace_id: group.id, visibility: 'public' })).id;
  });
  afterAll(() => api.close());

  it('are created, found by id and by name, changed and removed', async () => {
    const created = await team.reporter.post<Label>(at(), {
      name: ' bug ',
      color: 'Red',
      description: 'Is <b>broken</b>',
      priority: 3,
    });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'bug',
        color: '#ff0000',
        description: 'Is <b>broken</b>',
        description_html: 'Is &lt;b&gt;broken&lt;/b&gt;',
        text_color: '#FFFFFF',
        subscribed: false,
        priority: 3,
        is_project_label: true,
      },
    ]);
    for (const key of [created.body.id, 'bug'])
      expect((await team.guest.get(at(key))).body).toEqual(created.body);

    const changed = await team.reporter.put(at('bug'), { new_name: 'a/b?&:', color: '#fab', priority: null });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { id: created.body.id, name: 'a/b?&:', color: '#fab', text_color: '#1F1E24', priority: null },
    ]);
    const older = await team.reporter.put(at(), { name: 'a/b?&:', description: '' });
    expect([older.status, older.body]).toMatchObject([200, { description: '', color: '#fab' }]);
    expect((await team.reporter.put(at('a/b?&:'), {})).body).toEqual({
      message: { base: ['at least one parameter must be provided'] },
    });

    const before = { 'If-Unmodified-Since': new Date(0).toUTCString() };
    expect((await team.reporter.delete(at('a/b?&:'), before)).status).toBe(412);
    const removed = await team.reporter.delete(at('a/b?&:'));
    expect([removed.status, removed.text]).toEqual([204, '']);
    const again = await team.reporter.send('DELETE', at(), { name: 'a/b?&:' });
    expect([again.status, again.body]).toEqual([404, { message: '404 Label Not Found' }]);
    const { id } = await make(at(), 'gone');
    expect((await team.reporter.send('DELETE', at(), { label_id: id })).status).toBe(204);
    expect((await team.reporter.put(at(), { new_name: 'x' })).body).toEqual({
      message: '400 (Bad request) "name" not given',
    });
  });

  it('say what is wrong with them', async () => {
    await make(at(), 'taken');
    for (const [body, status, message] of [
      [{ name: 'taken', color: '#ffffff' }, 409, 'Label already exists'],
      [{ name: 'x', color: 'reddish' }, 400, { color: ['must be a valid color code'] }],
      [{ name: 'a,b', color: '#fff' }, 400, { title: ['is invalid'] }],
      [{ name: '  ', color: '#fff' }, 400, { title: ["can't be blank"] }],
      [{ name: 'x'.repeat(256), color: '#fff' }, 400, { title: ['is too long (maximum is 255 characters)'] }],
      [{ name: 'x\0', color: '#fff' }, 400, { name: ['is invalid'] }],
      [{ name: 'x' }, 400, '400 (Bad request) "color" not given'],
      [{ name: 'x', color: '#fff', priority: -1 }, 400, { priority: ['does not have a valid value'] }],
    ] as const) {
      const answer = await team.reporter.post(at(), body);
      expect([answer.status, answer.body]).toEqual([status, { message }]);
    }
    expect((await make(at(), '😀'.repeat(255))).name).toHaveLength(510);
    const other = await make(at(), 'other');
    const renamed = await team.reporter.put(at(other.id), { new_name: 'taken' });
    expect([renamed.status, renamed.body]).toEqual([400, { message: { title: ['has already been taken'] } }]);
  });

  it('are for everybody who sees the project to read, and for reporters to change', async () => {
    const open = await buildProjectTeam(api, 'public');
    const { id } = await make(at('', open.projectId), 'open');
    expect(await names(at('', open.projectId), api.anonymous)).toEqual(['open']);
    expect((await api.anonymous.get(at(id, open.projectId))).status).toBe(200);
    expect((await team.stranger.get(at())).status).toBe(404);
    for (const [method, path, body] of [
      ['POST', at('', open.projectId), { name: 'x', color: '#fff' }],
      ['PUT', at(id, open.projectId), { color: '#fff' }],
      ['DELETE', at(id, open.projectId), undefined],
      ['PUT', `${at(id, open.projectId)}/promote`, undefined],
    ] as const) {
      expect((await open.guest.send(method, path, body)).status).toBe(403);
      expect((await open.stranger.send(method, path, body)).status).toBe(403);
      expect((await api.anonymous.send(method, path, body)).status).toBe(401);
    }
    expect((await team.reporter.put(at(id), { color: '#fff' })).status).toBe(404);
    const off = { issues_access_level: 'private', merge_requests_access_level: 'disabled' };
    await api.root.put(`/projects/${open.projectId}`, off);
    expect((await open.stranger.get(at('', open.projectId))).status).toBe(403);
    await api.root.post(`/projects/${open.projectId}/archive`);
    expect((await open.reporter.delete(at(id, open.projectId))).status).toBe(403);
  });

  it('come from groups above too, whose priority is that of each project', async () => {
    const sub = await buildGroup(api, { parent_id: group.id, visibility: 'private' });
    const inner = await buildProject(api.root, { namespace_id: sub.id });
    const top = await make(ofGroup(), 'top');
    await make(ofGroup('', sub.id), 'middle');
    await make(at('', inner.id), 'inner');
    expect(await names(at('', inner.id))).toEqual(['inner', 'middle', 'top']);
    expect(await names(`${at('', inner.id)}?include_ancestor_groups=false`)).toEqual(['inner']);
    expect(await names(`${at('', inner.id)}?search=DDL`)).toEqual(['middle']);
    expect(await names(`${at('', inner.id)}?search=%25`)).toEqual([]);
    expect(await names(ofGroup('', sub.id))).toEqual(['middle', 'top']);
    expect(await names(ofGroup())).toEqual(['top']);
    expect(await names(`${ofGroup()}?include_descendant_groups=true`)).toEqual(['middle', 'top']);
    const all = `${ofGroup()}?include_descendant_groups=true&only_group_labels=false`;
    expect(await names(all)).toEqual(['inner', 'middle', 'top']);
    expect(await names(all, team.guest)).toEqual(['top']);
    expect(await names(all, api.anonymous)).toEqual(['top']);

    expect((await api.root.post(at('', inner.id), { name: 'top', color: '#fff' })).status).toBe(409);
    const path = at(top.id, inner.id);
    expect((await api.root.put<Label>(path, { priority: 1 })).body).toMatchObject({
      priority: 1,
      is_project_label: false,
    });
    expect((await api.root.put(path, { new_name: 'x' })).status).toBe(404);
    expect((await api.root.delete(path)).status).toBe(404);
    expect((await api.root.get<Label>(at('top', shop))).body.priority).toBeNull();
    expect((await api.root.put<Label>(ofGroup('top'), { new_name: 'summit' })).body.name).toBe('summit');
  });

  it('count what the caller can read', async () => {
    const open = await buildProjectTeam(api, 'public');
    const { id } = await make(at('', open.projectId), 'counted');
    await issue(open.projectId, id);
    await issue(open.projectId, id, "'closed', false");
    await issue(open.projectId, id, "'opened', true");
    const counts = async (client: ProjectTeam['guest'], path = at('', open.projectId)): Promise<unknown> => {
      const [label] = (await client.get<Record<string, number>[]>(`${path}?with_counts=true`)).body;
      return [
        label?.['open_issues_count'],
        label?.['closed_issues_count'],
        label?.['open_merge_requests_count'],
      ];
    };
    expect(await counts(open.reporter)).toEqual([2, 1, 0]);
    expect(await counts(open.guest)).toEqual([1, 1, 0]);
    expect(await counts(api.anonymous)).toEqual([1, 1, 0]);
    const wide = await buildGroup(api, { visibility: 'public' });
    const label = await make(ofGroup('', wide.id), 'wide');
    const [seen, hidden] = [
      await buildProject(api.root, { namespace_id: wide.id, visibility: 'public' }),
      await buildProject(api.root, { namespace_id: wide.id, visibility: 'private' }),
    ];
    await issue(seen.id, label.id);
    await issue(hidden.id, label.id);
    expect(await counts(api.root, ofGroup('', wide.id))).toEqual([2, 0, 0]);
    expect(await counts(team.guest, ofGroup('', wide.id))).toEqual([1, 0, 0]);
  });

  it('are subscribed to, and not', async () => {
    const { id } = await make(at(), 'news');
    const say = async (what: string, path: string): Promise<readonly [number, unknown]> => {
      const { status, body } = await team.guest.post<{ subscribed?: boolean } | null>(`${path}/${what}`);
      return [status, status === 201 ? body?.subscribed : null];
    };
    expect(await say('unsubscribe', at(id))).toEqual([304, null]);
    expect(await say('subscribe', at('news'))).toEqual([201, true]);
    expect(await say('subscribe', at(id))).toEqual([304, null]);
    expect((await team.reporter.get<object>(at(id))).body).toMatchObject({ subscribed: false });
    expect(await say('unsubscribe', at(id))).toEqual([201, false]);
    const { id: wide } = await make(ofGroup(), 'wide news');
    expect(await say('subscribe', ofGroup(wide))).toEqual([201, true]);
    expect(await say('unsubscribe', at(wide, shop))).toEqual([201, false]);
    expect((await team.guest.get<object>(ofGroup(wide))).body).toMatchObject({ subscribed: true });
    expect((await team.stranger.post(`${at(id)}/subscribe`)).status).toBe(404);
  });

  it('are promoted to labels of the group, with those of the same name in its projects', async () => {
    const other = await buildProject(api.root, { namespace_id: group.id });
    const [one, two] = [
      await make(at('', shop), 'same', { priority: 7 }),
      await make(at('', other.id), 'same'),
    ];
    await issue(shop, one.id);
    await issue(other.id, two.id);
    await team.guest.post(`${at(one.id, shop)}/subscribe`);
    const promoted = await api.root.put<Label>(`${at(one.id, shop)}/promote`);
    expect([promoted.status, promoted.body]).toMatchObject([200, { name: 'same', color: '#FFAABB' }]);
    expect((await api.root.get(ofGroup('same'))).body).toEqual(promoted.body);
    for (const project of [shop, other.id]) {
      const [label] = (
        await api.root.get<Record<string, unknown>[]>(`${at('', project)}?search=same&with_counts=1`)
      ).body;
      expect(label).toMatchObject({ id: promoted.body.id, open_issues_count: 1, is_project_label: false });
    }
    expect((await team.guest.get(at('same', shop))).body).toMatchObject({ subscribed: true, priority: 7 });
    expect((await api.root.put(`${at('same', shop)}/promote`)).status).toBe(404);
    await make(at('', shop), 'older way');
    expect((await api.root.put(at('promote', shop), { name: 'older way' })).status).toBe(200);
    await make(at(), 'personal');
    expect((await api.root.put(`${at('personal')}/promote`)).body).toEqual({
      message: 'Failed to promote project label to group label',
    });
  });

  it('follow a project that moves as labels of its own, unless the new group has them', async () => {
    const [from, to] = [await buildGroup(api), await buildGroup(api)];
    const { id } = await buildProject(api.root, { namespace_id: from.id });
    const kept = await make(ofGroup('', from.id), 'kept', { color: '#123456' });
    const met = await make(ofGroup('', from.id), 'met');
    await make(ofGroup('', from.id), 'unused');
    await make(ofGroup('', to.id), 'met');
    await issue(id, kept.id);
    await issue(id, met.id);
    expect((await api.root.put(`/projects/${id}/transfer`, { namespace: to.id })).status).toBe(200);
    const { body } = await api.root.get<object[]>(`${at('', id)}?with_counts=true`);
    expect(body).toMatchObject([
      { name: 'kept', color: '#123456', is_project_label: true, open_issues_count: 1 },
      { name: 'met', is_project_label: false, open_issues_count: 1 },
    ]);

    const inner = await buildGroup(api, { parent_id: to.id });
    const below = (await buildProject(api.root, { namespace_id: inner.id })).id;
    await issue(below, (await api.root.get<Label>(ofGroup('met', to.id))).body.id);
    expect((await api.root.post(`/groups/${inner.id}/transfer`)).status).toBe(201);
    expect((await api.root.get<object[]>(at('', below))).body).toMatchObject([
      { name: 'met', is_project_label: true },
    ]);
  });

  it('bear 50 changes at once', async () => {
    const { id } = await make(at(), 'busy');
    const changes = [
      () => api.root.post(at(), { name: 'once', color: '#fff' }),
      () => api.root.put(at(id), { priority: 1 }),
      () => api.root.put(at(id), { color: '#abcdef' }),
      () => api.root.put(at(id), { description: 'kept' }),
      () => api.root.post(`${at(id)}/subscribe`),
    ];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => changes.map((change) => change())).flat(),
    );
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect(count(409)).toBe(9);
    expect(answers.filter(({ status }) => ![200, 201, 304, 409].includes(status))).toEqual([]);
    expect((await api.root.get(at(id))).body).toMatchObject({ color: '#abcdef', description: 'kept' });
    expect((await names(at())).filter((name) => name === 'once')).toHaveLength(1);

    const wanted = Array.from({ length: 10 }, (_, index) => `parallel ${index}`);
    const resolve = (list: string[], mayCreate: boolean): Promise<number[]> =>
      api.app
        .get(Transactions)
        .run((tx) => api.app.get(LabelNames).resolve(tx, { projectId: shop }, list, mayCreate));
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, index) => resolve(index % 2 ? wanted : wanted.toReversed(), true)),
    );
    expect(new Set(found.map((ids) => ids.toSorted((a, b) => a - b).join())).size).toBe(1);
    expect(await resolve(['nobody, knows'], false)).toEqual([]);
  });
});
