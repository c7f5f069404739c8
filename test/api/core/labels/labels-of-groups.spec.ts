import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser } from '../../../support/builders/instance.js';
import { type Label, LabelWorld } from '../../../support/builders/label-world.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('labels of groups', () => {
  let api: TestApi;
  let world: LabelWorld;
  let at: LabelWorld['at'];
  let ofGroup: LabelWorld['ofGroup'];
  let make: LabelWorld['make'];
  let names: LabelWorld['names'];
  let team: LabelWorld['team'];
  let group: LabelWorld['group'];
  let shop: LabelWorld['shop'];
  beforeAll(async () => {
    api = await borrowApi();
    world = await LabelWorld.build(api);
    ({ at, ofGroup, make, names, team, group, shop } = world);
  });
  afterAll(() => api.close());

  it('include those of parent groups, with a priority per project', async () => {
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
    const hardly = await addUser(api, 'labels-hardly');
    await buildMember(api, `groups/${group.id}`, hardly.id, 5);
    expect(await names(all, api.as(hardly.token))).toEqual(['top']);

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

  it('count objects that the caller can read', async () => {
    const open = await buildProjectTeam(api, 'public');
    const { id } = await make(at('', open.projectId), 'counted');
    await world.addIssue(open.projectId, id);
    await world.addIssue(open.projectId, id, { state: 'closed' });
    await world.addIssue(open.projectId, id, { confidential: true });
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
    await world.addIssue(seen.id, label.id);
    await world.addIssue(hidden.id, label.id);
    expect(await counts(api.root, ofGroup('', wide.id))).toEqual([2, 0, 0]);
    expect(await counts(team.guest, ofGroup('', wide.id))).toEqual([1, 0, 0]);
  });

  it('result from promotion, which merges labels of the same name in the projects', async () => {
    const other = await buildProject(api.root, { namespace_id: group.id });
    const [one, two] = [
      await make(at('', shop), 'same', { priority: 7 }),
      await make(at('', other.id), 'same'),
    ];
    await world.addIssue(shop, one.id);
    await world.addIssue(other.id, two.id);
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

  it('are copied to a project that is transferred, unless the new group has them', async () => {
    const [from, to] = [await buildGroup(api), await buildGroup(api)];
    const { id } = await buildProject(api.root, { namespace_id: from.id });
    const kept = await make(ofGroup('', from.id), 'kept', { color: '#123456' });
    const met = await make(ofGroup('', from.id), 'met');
    await make(ofGroup('', from.id), 'unused');
    await make(ofGroup('', to.id), 'met');
    await world.addIssue(id, kept.id);
    await world.addIssue(id, met.id);
    expect((await api.root.put(`/projects/${id}/transfer`, { namespace: to.id })).status).toBe(200);
    const { body } = await api.root.get<object[]>(`${at('', id)}?with_counts=true`);
    expect(body).toMatchObject([
      { name: 'kept', color: '#123456', is_project_label: true, open_issues_count: 1 },
      { name: 'met', is_project_label: false, open_issues_count: 1 },
    ]);

    const inner = await buildGroup(api, { parent_id: to.id });
    const below = (await buildProject(api.root, { namespace_id: inner.id })).id;
    await world.addIssue(below, (await api.root.get<Label>(ofGroup('met', to.id))).body.id);
    expect((await api.root.post(`/groups/${inner.id}/transfer`)).status).toBe(201);
    expect((await api.root.get<object[]>(at('', below))).body).toMatchObject([
      { name: 'met', is_project_label: true },
    ]);
  });
});
