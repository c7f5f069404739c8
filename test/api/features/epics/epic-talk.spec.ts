import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildEpicWorld, type BuiltEpic, type EpicWorld } from '../../../support/builders/epic-world.js';
import { buildGroup } from '../../../support/builders/group.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Votes extends BuiltEpic {
  readonly upvotes: number;
  readonly downvotes: number;
}

interface Discussion {
  readonly id: string;
  readonly individual_note: boolean;
  readonly notes: { readonly id: number; readonly body: string; readonly type: string | null }[];
}

let api: TestApi;
let world: EpicWorld;
let epics: string;

beforeAll(async () => {
  api = await borrowApi();
  world = await buildEpicWorld(api);
  epics = `/groups/${world.group.id}/epics`;
  // From here on ids and numbers of epics differ.
  const other = await buildGroup(api, {});
  for (const title of ['a', 'b', 'c']) await api.root.post(`/groups/${other.id}/epics`, { title });
});
afterAll(() => api.close());

const create = async (values: object = {}): Promise<BuiltEpic> =>
  (await world.reporter.post<BuiltEpic>(epics, { title: 'An epic', ...values })).body;

describe('emoji of epics', () => {
  it('are added by number, counted as votes, found by user, and removed', async () => {
    const { guest, reporter, stranger } = world;
    const { id, iid } = await create({ title: 'Liked' });
    expect(iid).not.toBe(id);
    const path = `${epics}/${iid}/award_emoji`;
    const made = await guest.post<{ id: number }>(path, { name: 'thumbsup' });
    expect([made.status, made.body]).toMatchObject([
      201,
      { name: 'thumbsup', awardable_id: id, awardable_type: 'Epic' },
    ]);
    expect((await guest.post(path, { name: 'thumbsup' })).status).toBe(404);
    expect((await reporter.post(path, { name: 'thumbsdown' })).status).toBe(201);
    expect((await reporter.get<Votes>(`${epics}/${iid}`)).body).toMatchObject({ upvotes: 1, downvotes: 1 });
    expect((await reporter.get(path)).body).toHaveLength(2);
    expect((await reporter.get(`${path}/${made.body.id}`)).body).toEqual(made.body);
    expect((await guest.get(`/groups/${world.group.id}/-/epics/${iid}/award_emoji`)).body).toHaveLength(2);

    const mine = async (query: string): Promise<string[]> =>
      (await guest.get<BuiltEpic[]>(`${epics}?${query}`)).body.map(({ title }) => title);
    expect(await mine('my_reaction_emoji=thumbsup')).toEqual(['Liked']);
    expect(await mine('my_reaction_emoji=Any')).toEqual(['Liked']);
    expect(await mine('my_reaction_emoji=None')).not.toContain('Liked');
    expect(await mine('not[my_reaction_emoji]=thumbsup')).not.toContain('Liked');

    expect((await reporter.delete(`${path}/${made.body.id}`)).status).toBe(403);
    expect((await stranger.get(path)).body).toEqual({ message: '404 Group Not Found' });
    expect((await api.anonymous.post(path, { name: 'heart' })).status).toBe(401);
    expect((await guest.delete(`${path}/${made.body.id}`)).status).toBe(204);
    expect((await reporter.get<Votes>(`${epics}/${iid}`)).body).toMatchObject({ upvotes: 0, downvotes: 1 });
  });

  it('of confidential epics are for Reporters, and none exist on the free plan', async () => {
    const { iid } = await create({ confidential: true });
    const path = `${epics}/${iid}/award_emoji`;
    expect((await world.guest.get(path)).body).toEqual({ message: '404 Epic Not Found' });
    expect((await world.guest.post(path, { name: 'heart' })).status).toBe(404);
    expect((await world.reporter.post(path, { name: 'heart' })).status).toBe(201);
    await api.root.put('/application/settings', { license_plan: 'free' });
    expect((await world.reporter.get(path)).status).toBe(403);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
  });

  it('of notes are found by the number of the epic as well as by its id', async () => {
    const { guest, reporter } = world;
    const { id, iid } = await create();
    const other = await create();
    const note = (await guest.post<{ id: number }>(`${epics}/${id}/notes`, { body: 'Yes' })).body;
    const at = (epic: number): string => `${epics}/${epic}/notes/${note.id}/award_emoji`;
    expect((await guest.post(at(id), { name: 'heart' })).status).toBe(201);
    expect((await reporter.post(at(iid), { name: 'heart' })).status).toBe(201);
    expect((await reporter.get(at(iid))).body).toHaveLength(2);
    expect((await reporter.get(at(other.iid))).body).toEqual({ message: '404 Note Not Found' });
    expect((await reporter.get(at(999_999))).body).toEqual({ message: '404 Epic Not Found' });
  });
});

describe('discussions of epics', () => {
  it('are started, replied to, changed and removed by the id of the epic', async () => {
    const { guest, reporter, owner } = world;
    const { id } = await create();
    const path = `${epics}/${id}/discussions`;
    const begun = await guest.post<Discussion>(path, { body: 'Why?' });
    expect([begun.status, begun.body]).toMatchObject([
      201,
      {
        individual_note: false,
        notes: [{ body: 'Why?', type: 'DiscussionNote', noteable_type: 'Epic', noteable_id: id }],
      },
    ]);
    const answer = await reporter.post<{ id: number }>(`${path}/${begun.body.id}/notes`, { body: 'So.' });
    expect(answer.status).toBe(201);
    const shown = await guest.get<Discussion>(`${path}/${begun.body.id}`);
    expect(shown.body.notes.map(({ body }) => body)).toEqual(['Why?', 'So.']);
    const single = await reporter.post<{ id: number }>(`${epics}/${id}/notes`, { body: 'Alone' });
    const listed = await guest.get<Discussion[]>(path);
    expect(listed.body.map(({ individual_note: alone, notes }) => [alone, notes.length])).toEqual([
      [false, 2],
      [true, 1],
    ]);
    const one = `${path}/${begun.body.id}/notes/${answer.body.id}`;
    expect((await guest.put(one, { body: 'No' })).status).toBe(403);
    expect((await reporter.put(one, { body: 'Because.' })).body).toMatchObject({ body: 'Because.' });
    expect((await reporter.put(one, { resolved: true })).status).toBe(400);
    expect((await guest.get(`${path}/${begun.body.id}/notes/${single.body.id}`)).status).toBe(404);
    expect((await owner.delete(one)).status).toBe(204);
    expect((await guest.get(`/groups/${world.group.id}/-/epics/${id}/discussions`)).body).toHaveLength(2);
    expect((await guest.get(`/groups/${world.group.id}/-/epics/${id}/notes`)).body).toHaveLength(2);
  });

  it('hide internal notes and confidential epics from callers below Reporter', async () => {
    const { guest, reporter, stranger } = world;
    const { id } = await create();
    const path = `${epics}/${id}/discussions`;
    const hidden = await reporter.post<Discussion>(path, { body: 'Psst', internal: true });
    expect((await guest.get(path)).body).toEqual([]);
    expect((await guest.get(`${path}/${hidden.body.id}`)).status).toBe(404);
    expect((await guest.post(path, { body: 'x', internal: true })).status).toBe(403);
    const secret = await create({ confidential: true });
    expect((await guest.get(`${epics}/${secret.id}/discussions`)).status).toBe(404);
    expect((await guest.post(`${epics}/${secret.id}/discussions`, { body: 'x' })).status).toBe(404);
    expect((await stranger.get(path)).status).toBe(404);
    expect((await api.anonymous.get(path)).status).toBe(401);
  });
});
