import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface NoteBody {
  readonly id: number;
  readonly body: string;
  readonly internal: boolean;
}

let api: TestApi;
let reporter: CreatedUser;
let guest: CreatedUser;
let stranger: CreatedUser;
let projectId: number;

beforeAll(async () => {
  api = await borrowApi();
  [reporter, guest, stranger] = [await createUser(api), await createUser(api), await createUser(api)];
  projectId = (await buildProject(api.root, { visibility: 'public' })).id;
  await buildMember(api, `projects/${projectId}`, reporter.id, 20);
  await buildMember(api, `projects/${projectId}`, guest.id, 10);
});
afterAll(() => api.close());

async function issue(values: object = {}): Promise<string> {
  const given = { title: 'A', ...values };
  const made = await reporter.client.post<{ iid: number }>(`/projects/${projectId}/issues`, given);
  if (made.status !== 201) throw new Error(`Issue not created: ${made.status} ${made.text}`);
  return `/projects/${projectId}/issues/${made.body.iid}`;
}

const comment = (client: ApiClient, path: string, values: object = {}): Promise<Answer<NoteBody>> =>
  client.post<NoteBody>(`${path}/notes`, { body: 'Well', ...values });

const usernames = async (client: ApiClient, path: string): Promise<string[]> => {
  const { body } = await client.get<{ username: string }[]>(`${path}/participants`);
  return body.map(({ username }) => username).sort();
};

describe('notes of an issue', () => {
  it('have the number of the issue, are counted and update its time', async () => {
    const path = await issue();
    await api.sql(`update issues set updated_at = '2020-01-01' where project_id = $1`, [projectId]);
    const note = await comment(stranger.client, path);
    expect(note.body).toMatchObject({ noteable_type: 'Issue', noteable_iid: Number(path.split('/').pop()) });
    const { body } = await stranger.client.get(path);
    expect(body['user_notes_count']).toBe(1);
    expect(String(body['updated_at']) > '2021').toBe(true);
    await stranger.client.delete(`${path}/notes/${note.body.id}`);
    expect((await stranger.client.get(path)).body['user_notes_count']).toBe(0);
  });

  it('are internal only if written by Reporters or above', async () => {
    const path = await issue();
    expect((await comment(guest.client, path, { internal: true })).status).toBe(403);
    const made = await comment(reporter.client, path, { body: `@${guest.username}`, confidential: true });
    expect(made.body).toMatchObject({ internal: true, confidential: true });
    const open = await comment(guest.client, path);
    const ids = async (client: ApiClient): Promise<number[]> =>
      (await client.get<NoteBody[]>(`${path}/notes`)).body.map(({ id }) => id);
    expect(await ids(guest.client)).toEqual([open.body.id]);
    expect(await ids(reporter.client)).toEqual([open.body.id, made.body.id]);
    const hidden = `${path}/notes/${made.body.id}`;
    for (const answer of [
      await guest.client.get(hidden),
      await guest.client.put(hidden, { body: 'x' }),
      await guest.client.delete(hidden),
      await guest.client.post(`${hidden}/award_emoji`, { name: 'eyes' }),
    ])
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Note Not Found' }]);
    expect((await guest.client.get(`${path}/discussions`)).body).toHaveLength(1);
  });

  it('are limited to members if the discussion is locked', async () => {
    const path = await issue();
    const own = await comment(stranger.client, path);
    await api.root.put(path, { discussion_locked: true });
    expect((await comment(stranger.client, path)).status).toBe(403);
    expect((await stranger.client.put(`${path}/notes/${own.body.id}`, { body: 'x' })).status).toBe(403);
    expect((await stranger.client.post(`${path}/award_emoji`, { name: 'eyes' })).status).toBe(403);
    expect((await comment(guest.client, path)).status).toBe(201);
  });

  it('are hidden from callers who cannot read the issue', async () => {
    const path = await issue({ confidential: true });
    expect((await comment(guest.client, path)).body).toEqual({ message: '404 Issue Not Found' });
    expect((await guest.client.get(`${path}/notes`)).status).toBe(404);
    expect((await guest.client.get(`${path}/participants`)).status).toBe(404);
    expect((await api.anonymous.get(`${path}/notes`)).status).toBe(401);
  });

  it('are all counted if many are written at once', async () => {
    const path = await issue();
    const writers = [reporter, guest, stranger];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => comment((writers[index % 3] as CreatedUser).client, path)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect((await stranger.client.get(path)).body['user_notes_count']).toBe(30);
  });
});

describe('participants of an issue', () => {
  it('are its author, assignees, commenters and mentioned users who can read it', async () => {
    const outsider = await createUser(api);
    const path = await issue({ assignee_ids: [guest.id], description: `@${outsider.username}` });
    expect(await usernames(api.anonymous, path)).toEqual(
      [reporter, guest, outsider].map(({ username }) => username).sort(),
    );
    await comment(reporter.client, path, { body: `@${stranger.username}`, internal: true });
    expect(await usernames(stranger.client, path)).not.toContain(stranger.username);
    expect(await usernames(reporter.client, path)).toContain(stranger.username);
    await reporter.client.put(path, { confidential: true });
    expect(await usernames(reporter.client, path)).toEqual(
      [reporter, guest].map(({ username }) => username).sort(),
    );
  });
});

describe('discussions of an issue', () => {
  it('start with a note, continue with replies, and include notes that receive a reply', async () => {
    const path = await issue();
    const alone = await comment(guest.client, path);
    const begun = await stranger.client.post<{ id: string }>(`${path}/discussions`, { body: 'one' });
    expect([begun.status, begun.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown,
        individual_note: false,
        notes: [
          expect.objectContaining({ type: 'DiscussionNote', body: 'one', resolvable: false }) as object,
        ],
      },
    ]);
    const answer = await guest.client.post<NoteBody>(`${path}/discussions/${begun.body.id}/notes`, {
      body: 'two',
    });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ body: 'two' })]);
    const list = await guest.client.get<{ id: string; individual_note: boolean; notes: NoteBody[] }[]>(
      `${path}/discussions`,
    );
    const shape = list.body.map((one) => [one.individual_note, one.notes.map(({ body }) => body)]);
    expect(shape).toEqual([
      [true, ['Well']],
      [false, ['one', 'two']],
    ]);
    const first = `${path}/discussions/${list.body[0]?.id ?? ''}`;
    await stranger.client.post(`${first}/notes`, { body: 'three' });
    expect((await guest.client.get(first)).body).toMatchObject({
      individual_note: false,
      notes: [{ id: alone.body.id, type: 'DiscussionNote' }, { body: 'three' }],
    });
    const one = `${first}/notes/${alone.body.id}`;
    expect((await guest.client.put(one, { body: 'Hm' })).body['body']).toBe('Hm');
    expect((await guest.client.put(one, {})).status).toBe(400);
    expect((await reporter.client.put(one, { resolved: true })).body).toEqual({
      message: { resolved: ['is invalid'] },
    });
    expect((await guest.client.delete(one)).status).toBe(204);
    expect((await guest.client.get(one)).body).toEqual({ message: '404 Note Not Found' });
    expect((await guest.client.get(`${path}/discussions/nothing`)).body).toEqual({
      message: '404 Discussion Not Found',
    });
  });
});
