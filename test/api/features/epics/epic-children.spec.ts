import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildEpicWorld, type BuiltEpic, type EpicWorld } from '../../../support/builders/epic-world.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Placed extends BuiltEpic {
  readonly parent_id: number | null;
  readonly parent_iid: number | null;
  readonly due_date: string | null;
  readonly _links: { readonly parent: string | null };
}

let api: TestApi;
let world: EpicWorld;
let epics: string;

beforeAll(async () => {
  api = await borrowApi();
  world = await buildEpicWorld(api);
  epics = `/groups/${world.group.id}/epics`;
});
afterAll(() => api.close());

const create = async (title: string, values: object = {}, path = epics): Promise<Placed> => {
  const { status, text, body } = await world.reporter.post<Placed>(path, { title, ...values });
  if (status !== 201) throw new Error(`No epic: ${status} ${text}`);
  return body;
};
const read = async (iid: number, client: ApiClient = world.reporter): Promise<Placed> =>
  (await client.get<Placed>(`${epics}/${iid}`)).body;
const children = async (iid: number, client: ApiClient = world.reporter): Promise<string[]> =>
  (await client.get<Placed[]>(`${epics}/${iid}/epics`)).body.map(({ title }) => title);

describe('the parent of an epic', () => {
  it('is set on creation and later, shown, and removed', async () => {
    const parent = await create('Parent');
    const child = await create('Child', { parent_id: parent.id });
    expect(child).toMatchObject({
      parent_id: parent.id,
      parent_iid: parent.iid,
      _links: { parent: `http://forgeplane.test/api/v4${epics}/${parent.iid}` },
    });
    const other = await create('Other');
    const moved = await world.reporter.put<Placed>(`${epics}/${child.iid}`, { parent_id: other.id });
    expect([moved.status, moved.body.parent_id]).toEqual([200, other.id]);
    expect((await world.reporter.get<Placed[]>(epics)).body).toContainEqual(
      expect.objectContaining({ id: child.id, parent_id: other.id }),
    );
    for (const none of [0, null, '']) {
      await world.reporter.put(`${epics}/${child.iid}`, { parent_id: other.id });
      const freed = await world.reporter.put<Placed>(`${epics}/${child.iid}`, { parent_id: none });
      expect([freed.status, freed.body.parent_id, freed.body._links.parent]).toEqual([200, null, null]);
    }
    await world.reporter.put(`${epics}/${child.iid}`, { parent_id: other.id });
    expect((await world.owner.delete(`${epics}/${other.iid}`)).status).toBe(204);
    expect(await read(child.iid)).toMatchObject({ parent_id: null, parent_iid: null });
  });

  it('must be one that the caller may use, and requires the plan', async () => {
    const { reporter, guest } = world;
    const alone = await buildGroup(api, { visibility: 'private' });
    const hidden = await api.root.post<Placed>(`/groups/${alone.id}/epics`, { title: 'Hidden' });
    const child = await create('Child');
    const put = (parent: unknown, client = reporter): Promise<{ status: number; body: unknown }> =>
      client.put(`${epics}/${child.iid}`, { parent_id: parent });
    expect(await put(hidden.body.id)).toMatchObject({ status: 404, body: { message: '404 Epic Not Found' } });
    expect((await put(99_999_999)).status).toBe(404);
    expect((await put('x')).body).toEqual({ message: { parent_id: ['is invalid'] } });
    const elsewhere = await put(hidden.body.id, api.root);
    expect([elsewhere.status, elsewhere.body]).toEqual([
      404,
      { message: 'No matching epic found. Make sure that you are adding a valid epic URL.' },
    ]);
    expect((await reporter.post(epics, { title: 'x', parent_id: hidden.body.id })).status).toBe(404);
    const parent = await create('Parent');
    expect((await put(parent.id, guest)).status).toBe(403);
    await api.root.put('/application/settings', { license_plan: 'premium' });
    expect((await put(parent.id)).body).toEqual({ message: '403 Forbidden' });
    expect((await reporter.get(`${epics}/${parent.iid}/epics`)).status).toBe(403);
    expect((await put(null)).status).toBe(200);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    expect((await put(parent.id)).status).toBe(200);
  });

  it('is never the epic itself, one of its descendants, or more than six levels away', async () => {
    const chain: Placed[] = [await create('1')];
    for (let depth = 2; depth <= 7; depth += 1)
      chain.push(await create(String(depth), { parent_id: chain.at(-1)?.id }));
    const [top, second] = chain as [Placed, Placed];
    const below = (chain.at(-1) as Placed).id;
    const put = async (iid: number, parent: number): Promise<readonly [number, unknown]> => {
      const { status, body } = await world.reporter.put(`${epics}/${iid}`, { parent_id: parent });
      return [status, (body as { message?: unknown }).message];
    };
    expect(await put(top.iid, top.id)).toEqual([
      409,
      'This epic cannot be added. An epic cannot be added to itself.',
    ]);
    expect(await put(second.iid, below)).toEqual([
      409,
      'This epic cannot be added. It is already an ancestor of the parent epic.',
    ]);
    const deep = [
      409,
      'This epic cannot be added. One or more epics would exceed the maximum depth (7) from its most distant ancestor.',
    ];
    const eighth = await create('8');
    expect(await put(eighth.iid, below)).toEqual(deep);
    expect(await put(top.iid, eighth.id)).toEqual(deep);
    expect((await world.reporter.post(epics, { title: 'x', parent_id: below })).status).toBe(409);
  });

  it('never forms a cycle, even with many simultaneous moves', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((title) => create(title)));
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        all.flatMap((epic) =>
          all
            .filter(({ id }) => id !== epic.id)
            .map((parent) => world.reporter.put(`${epics}/${epic.iid}`, { parent_id: parent.id })),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    }
    const parents = new Map<number, number | null>();
    for (const { iid, id } of all) parents.set(id, (await read(iid)).parent_id);
    for (const { id } of all) {
      let steps = 0;
      for (let at: number | null = id; at !== null; at = parents.get(at) ?? null)
        expect((steps += 1)).toBeLessThan(5);
    }
  });

  it('inherits the dates of its children, unless dates are fixed in between', async () => {
    const { owner, projectId, reporter } = world;
    const milestone = async (title: string, start: string, due: string): Promise<number> => {
      const values = { title, start_date: start, due_date: due };
      return (await owner.post<{ id: number }>(`/projects/${projectId}/milestones`, values)).body.id;
    };
    const early = await milestone('Early', '2026-01-05', '2026-02-05');
    const late = await milestone('Late', '2026-03-05', '2026-04-05');
    const top = await create('Top');
    const middle = await create('Middle', { parent_id: top.id });
    const bottom = await create('Bottom', { parent_id: middle.id });
    await buildIssue(reporter, projectId, { milestone_id: late, epic_id: top.id });
    await buildIssue(reporter, projectId, { milestone_id: early, epic_id: bottom.id });
    expect(await read(top.iid)).toMatchObject({
      start_date: '2026-01-05',
      due_date: '2026-04-05',
      start_date_from_inherited_source: '2026-01-05',
    });
    await reporter.put(`${epics}/${middle.iid}`, {
      start_date_is_fixed: true,
      start_date_fixed: '2026-02-20',
      due_date_is_fixed: true,
      due_date_fixed: '2026-12-31',
    });
    expect(await read(top.iid)).toMatchObject({ start_date: '2026-02-20', due_date: '2026-12-31' });
    const notes = await reporter.get<{ body: string }[]>(`${epics}/${middle.id}/notes?sort=asc`);
    expect(notes.body.map(({ body }) => body)).toEqual([
      'added to a parent epic',
      'added a child epic',
      'changed start date to **2026-02-20**',
      'changed due date to **2026-12-31**',
    ]);
    await reporter.put(`${epics}/${middle.iid}`, { start_date_is_fixed: false });
    expect(await read(top.iid)).toMatchObject({ start_date: '2026-01-05' });
  });
});

describe('the children of an epic', () => {
  it('are added, created, listed newest first, ordered and removed', async () => {
    const { guest, reporter } = world;
    const parent = await create('Parent');
    const [a, b] = [await create('A'), await create('B')];
    const at = (child: number | string): string => `${epics}/${parent.iid}/epics/${child}`;
    const added = await guest.post<Placed>(at(a.id), undefined);
    expect([added.status, added.body]).toMatchObject([201, { id: a.id, parent_id: parent.id }]);
    expect((await reporter.post(at(b.id))).status).toBe(201);
    const again = await reporter.post(at(b.id));
    expect([again.status, again.body]).toEqual([
      409,
      { message: 'This epic cannot be added. It is already assigned to the parent epic.' },
    ]);
    const made = await reporter.post<Placed>(`${epics}/${parent.iid}/epics`, { title: 'C' });
    expect([made.status, made.body]).toMatchObject([201, { title: 'C', parent_id: parent.id }]);
    expect((await reporter.post(`${epics}/${parent.iid}/epics`, {})).status).toBe(400);
    expect((await guest.post(`${epics}/${parent.iid}/epics`, { title: 'D' })).status).toBe(403);
    expect(await children(parent.iid)).toEqual(['C', 'B', 'A']);

    const move = async (child: number, values: object): Promise<string[]> =>
      (await reporter.put<Placed[]>(at(child), values)).body.map(({ title }) => title);
    expect(await move(a.id, { move_after_id: made.body.id })).toEqual(['A', 'C', 'B']);
    expect(await move(made.body.id, { move_before_id: b.id })).toEqual(['A', 'B', 'C']);
    expect((await reporter.put(at(a.id), { move_before_id: parent.id })).status).toBe(404);
    const removed = await guest.delete<Placed>(at(b.id));
    expect([removed.status, removed.body]).toMatchObject([200, { id: b.id, parent_id: null }]);
    expect((await guest.delete(at(b.id))).body).toEqual({ message: '404 Epic Not Found' });
    expect((await reporter.put(at(b.id), {})).status).toBe(404);
    expect(
      (await guest.get<Placed[]>(`/groups/${world.group.id}/-/epics/${parent.iid}/epics?per_page=1`)).body,
    ).toHaveLength(1);
  });

  it('may be in subgroups, and are shown to users who can read both epics', async () => {
    const { guest, reporter, group } = world;
    const below = await buildGroup(api, { parent_id: group.id, visibility: 'private' });
    const inside = await addUser(api, 'epic-children-below');
    await buildMember(api, `groups/${below.id}`, inside.id, 30);
    const member = api.as(inside.token);
    const parent = await create('Parent');
    const child = await create('Below', { parent_id: parent.id }, `/groups/${below.id}/epics`);
    expect(await children(parent.iid, guest)).toEqual(['Below']);
    const seen = await member.get<Placed>(`/groups/${below.id}/epics/${child.iid}`);
    expect(seen.body).toMatchObject({ parent_id: null, parent_iid: null, _links: { parent: null } });
    expect((await member.get(`${epics}/${parent.iid}/epics`)).status).toBe(404);
    const turned = await reporter.put(`${epics}/${parent.iid}`, { parent_id: child.id });
    expect(turned.status).toBe(404);
    // What the record says is sent back: the parent that they may not see stays.
    const renamed = { title: 'Renamed', parent_id: seen.body.parent_id };
    expect((await member.put(`/groups/${below.id}/epics/${child.iid}`, renamed)).status).toBe(200);
    expect(await children(parent.iid, guest)).toEqual(['Renamed']);
    expect((await guest.get<unknown[]>(`${epics}/${parent.id}/notes`)).body).toHaveLength(1);
  });

  it('are confidential if the parent is, and then only for Reporters', async () => {
    const { guest, projectId, reporter } = world;
    const parent = await create('Parent');
    const secret = await create('Secret', { parent_id: parent.id, confidential: true });
    expect(await children(parent.iid)).toEqual(['Secret']);
    expect(await children(parent.iid, guest)).toEqual([]);
    const at = `${epics}/${parent.iid}/epics/${secret.id}`;
    expect((await guest.delete(at)).status).toBe(404);

    const hide = await reporter.put(`${epics}/${parent.iid}`, { confidential: true });
    expect(hide.status).toBe(200);
    const inherits = await reporter.post<Placed>(`${epics}/${parent.iid}/epics`, { title: 'As secret' });
    expect(inherits.body).toMatchObject({ confidential: true });
    expect((await reporter.post(epics, { title: 'x', parent_id: parent.id })).status).toBe(409);
    const show = await reporter.put(`${epics}/${secret.iid}`, { confidential: false });
    expect([show.status, show.body]).toEqual([
      400,
      {
        message: {
          confidential: ['A non-confidential epic cannot be assigned to a confidential parent epic'],
        },
      },
    ]);

    const open = await create('Open');
    await create('Open child', { parent_id: open.id });
    await buildIssue(reporter, projectId, { epic_id: open.id });
    const refused = await reporter.put(`${epics}/${open.iid}`, { confidential: true, title: 'Changed' });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        message: {
          confidential: [
            'Cannot make the epic confidential if it contains non-confidential issues',
            'Cannot make the epic confidential if it contains non-confidential child epics',
          ],
        },
      },
    ]);
    expect(await read(open.iid)).toMatchObject({ title: 'Open', confidential: false });
  });

  it('include only issues that stay confidential if the epic is confidential', async () => {
    const { projectId, reporter } = world;
    const secret = await create('Secret', { confidential: true });
    const issue = await buildIssue(reporter, projectId, { confidential: true, epic_id: secret.id });
    const path = `/projects/${projectId}/issues/${issue.iid}`;
    const shown = await reporter.put(path, { confidential: false });
    expect([shown.status, shown.body]).toEqual([
      400,
      { message: { confidential: ['must be true for an issue of a confidential epic'] } },
    ]);
    expect((await reporter.put(path, { confidential: false, epic_id: 0 })).status).toBe(200);
  });
});
