import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { BuiltEpic } from '../../../support/builders/epic-world.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Placed extends BuiltEpic {
  readonly parent_id: number | null;
}

let api: TestApi;
let top: BuiltGroup;
let below: BuiltGroup;
let elsewhere: BuiltGroup;

beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

const arrange = async (): Promise<void> => {
  top = await buildGroup(api, {});
  below = await buildGroup(api, { parent_id: top.id });
  elsewhere = await buildGroup(api, {});
};
const create = async (group: BuiltGroup, values: object): Promise<Placed> =>
  (await api.root.post<Placed>(`/groups/${group.id}/epics`, { title: 'Epic', ...values })).body;
const issuesOf = async (group: BuiltGroup, { iid }: BuiltEpic): Promise<number[]> =>
  (await api.root.get<{ id: number }[]>(`/groups/${group.id}/epics/${iid}/issues`)).body.map(({ id }) => id);

describe('epics, when a project, group or issue moves', () => {
  beforeAll(arrange);

  it('lose the issues of a project that leaves their group, and keep those of one that stays below', async () => {
    const [one, other] = [await create(top, {}), await create(below, {})];
    const { id: projectId } = await buildProject(api.root, { namespace_id: below.id });
    const [a, b] = [
      await buildIssue(api.root, projectId, { epic_id: one.id }),
      await buildIssue(api.root, projectId, { epic_id: other.id }),
    ];
    expect([await issuesOf(top, one), await issuesOf(below, other)]).toEqual([[a.id], [b.id]]);
    expect((await api.root.put(`/projects/${projectId}/transfer`, { namespace: top.id })).status).toBe(200);
    expect([await issuesOf(top, one), await issuesOf(below, other)]).toEqual([[a.id], []]);
    expect((await api.root.put(`/projects/${projectId}/transfer`, { namespace: elsewhere.id })).status).toBe(
      200,
    );
    expect(await issuesOf(top, one)).toEqual([]);
    expect((await api.root.get(`/projects/${projectId}/issues/${a.iid}`)).body).toMatchObject({ epic: null });
  });

  it('of a group that leaves lose their parents in ancestor groups, and get their own labels', async () => {
    await api.root.post(`/groups/${top.id}/labels`, { name: 'shared', color: '#112233' });
    const parent = await create(top, { title: 'Parent' });
    const child = await create(below, { parent_id: parent.id, labels: 'shared' });
    const grandchild = await create(below, { parent_id: child.id });
    expect((await api.root.post(`/groups/${below.id}/transfer`, { group_id: elsewhere.id })).status).toBe(
      201,
    );
    const read = async ({ iid }: Placed): Promise<Placed> =>
      (await api.root.get<Placed>(`/groups/${below.id}/epics/${iid}`)).body;
    expect(await read(child)).toMatchObject({ parent_id: null, labels: ['shared'] });
    expect(await read(grandchild)).toMatchObject({ parent_id: child.id });
    expect((await api.root.get(`/groups/${top.id}/epics/${parent.iid}/epics`)).body).toEqual([]);
    const own = await api.root.get<{ color: string }>(
      `/groups/${below.id}/labels/shared?include_ancestor_groups=false`,
    );
    expect([own.status, own.body.color]).toEqual([200, '#112233']);
  });

  it('keep an issue that moves to another project of their group, at its position', async () => {
    await arrange();
    const epic = await create(top, {});
    const project = (group: BuiltGroup): Promise<{ id: number }> =>
      buildProject(api.root, { namespace_id: group.id });
    const [from, near, far] = [await project(top), await project(below), await project(elsewhere)];
    const issues = [];
    for (const title of ['a', 'b', 'c'])
      issues.push(await buildIssue(api.root, from.id, { title, epic_id: epic.id }));
    const [a, b, c] = issues.map(({ id }) => id);
    const links = await api.root.get<{ epic_issue_id: number }[]>(
      `/groups/${top.id}/epics/${epic.iid}/issues`,
    );
    const move = (to: { id: number }, iid = 2, project_id = from.id): ReturnType<typeof api.root.post> =>
      api.root.post(`/projects/${project_id}/issues/${iid}/move`, { to_project_id: to.id });
    const moved = (await move(near)).body as { id: number; iid: number; epic_iid: number };
    expect(moved.epic_iid).toBe(epic.iid);
    expect(await issuesOf(top, epic)).toEqual([c, moved.id, a]);
    const after = await api.root.get<{ epic_issue_id: number }[]>(
      `/groups/${top.id}/epics/${epic.iid}/issues`,
    );
    expect(after.body.map((row) => row.epic_issue_id)).toEqual(links.body.map((row) => row.epic_issue_id));
    const gone = await move(far, moved.iid, near.id);
    expect(gone.body).toMatchObject({ epic: null, epic_iid: null });
    expect(await issuesOf(top, epic)).toEqual([c, a]);
    expect(b).not.toBe(moved.id);
  });
});
