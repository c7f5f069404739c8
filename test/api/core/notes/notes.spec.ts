import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface NoteBody {
  readonly id: number;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
}

let api: TestApi;
let ada: CreatedUser;
let bob: CreatedUser;
let projectId: number;
let snippetId: number;
let notes: string;

beforeAll(async () => {
  api = await borrowApi();
  [ada, bob] = [await createUser(api), await createUser(api)];
  projectId = (await buildProject(api.root, { visibility: 'public' })).id;
  await buildMember(api, `projects/${projectId}`, ada.id, 20);
  ({ snippetId, notes } = await snippet());
});
afterAll(() => api.close());

/** Creates a snippet of the project that only its members can see, or everyone. */
async function snippet(visibility = 'public'): Promise<{ snippetId: number; notes: string }> {
  const given = { title: 'How to', file_name: 'a.txt', content: 'one', visibility };
  const { body } = await ada.client.post<{ id: number }>(`/projects/${projectId}/snippets`, given);
  return { snippetId: body.id, notes: `/projects/${projectId}/snippets/${body.id}/notes` };
}

async function write(client: ApiClient, path: string, values: object): Promise<NoteBody> {
  const { status, text, body } = await client.post<NoteBody>(path, values);
  if (status !== 201) throw new Error(`Note not written: ${status} ${text}`);
  return body;
}

const bodies = async (path: string): Promise<string[]> =>
  (await bob.client.get<NoteBody[]>(path)).body.map(({ body }) => body);

const mentionedIn = async (noteId: number): Promise<number[]> =>
  (
    await api.sql<{ user_id: number }>('select user_id from mentions where note_id = $1 order by 1', [noteId])
  ).map((row) => row.user_id);

describe('notes of a snippet', () => {
  it('are written and shown as records', async () => {
    const made = await bob.client.post<NoteBody>(notes, { body: ' Nice ' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number) as unknown,
        type: null,
        body: ' Nice ',
        attachment: null,
        author: expect.objectContaining({ id: bob.id, username: bob.username }) as object,
        created_at: expect.any(String) as unknown,
        updated_at: made.body.created_at,
        system: false,
        noteable_id: snippetId,
        noteable_type: 'Snippet',
        noteable_iid: null,
        project_id: projectId,
        resolvable: false,
        internal: false,
        confidential: false,
        commands_changes: {},
      },
    ]);
    expect((await ada.client.get(`${notes}/${made.body.id}`)).body).toEqual(made.body);
  });

  it('are listed in the requested order, by pages and by activity', async () => {
    const { notes: path } = await snippet();
    const [first] = [
      await write(bob.client, path, { body: 'one' }),
      await write(bob.client, path, { body: 'two' }),
    ];
    await api.sql(
      `insert into notes (noteable_type, noteable_id, project_id, discussion_id, body, system)
         select noteable_type, noteable_id, project_id, 'x', 'moved', true from notes where id = $1`,
      [first.id],
    );
    const edited = await bob.client.put(`${path}/${first.id}`, { body: 'one!' });
    expect((await bob.client.put(`${path}/${first.id}`, { body: 'one!' })).body).toEqual(edited.body);
    expect(await bodies(path)).toEqual(['moved', 'two', 'one!']);
    expect(await bodies(`${path}?sort=asc&activity_filter=only_comments`)).toEqual(['one!', 'two']);
    expect(await bodies(`${path}?order_by=updated_at&per_page=1`)).toEqual(['one!']);
    expect(await bodies(`${path}?activity_filter=only_activity`)).toEqual(['moved']);
    expect(await bodies(`${path}?pagination=keyset&order_by=id&sort=asc&per_page=2`)).toEqual([
      'one!',
      'two',
    ]);
    expect((await bob.client.get(`${path}?order_by=body`)).status).toBe(400);
    expect((await bob.client.get(`${path}?per_page=1`)).headers.get('x-total')).toBe('3');
  });

  it('require a signed-in user who can read the snippet', async () => {
    const hidden = await snippet('private');
    expect((await api.anonymous.get(notes)).status).toBe(401);
    expect((await bob.client.get(hidden.notes)).body).toEqual({ message: '404 Snippet Not Found' });
    expect((await bob.client.post(hidden.notes, { body: 'x' })).status).toBe(404);
    const elsewhere = await buildProject(api.root, { visibility: 'public' });
    const path = `/projects/${elsewhere.id}/snippets/${snippetId}/notes`;
    expect((await bob.client.get(path)).body).toEqual({ message: '404 Snippet Not Found' });
  });

  it('require a text, and cannot be internal', async () => {
    expect((await bob.client.post(notes, {})).body).toEqual({
      message: '400 (Bad request) "body" not given',
    });
    expect((await bob.client.post(notes, { body: ' ' })).body).toEqual({ message: { body: ['is empty'] } });
    expect((await bob.client.post(notes, { body: 'x'.repeat(1_000_001) })).body).toEqual({
      message: { body: ['is too long (maximum is 1000000 characters)'] },
    });
    expect((await bob.client.post(notes, { body: ['x'] })).status).toBe(400);
    expect((await ada.client.post(notes, { body: 'x', internal: true })).status).toBe(403);
  });

  it('are changed and removed by their authors and by Maintainers', async () => {
    const note = await write(bob.client, notes, { body: 'mine' });
    const path = `${notes}/${note.id}`;
    expect((await ada.client.put(path, { body: 'x' })).status).toBe(403);
    expect((await ada.client.delete(path)).status).toBe(403);
    expect((await api.root.put(path, { body: 'edited' })).body['body']).toBe('edited');
    const since = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await bob.client.delete(path, since)).status).toBe(412);
    expect((await bob.client.delete(path)).status).toBe(204);
    expect((await bob.client.get(path)).body).toEqual({ message: '404 Note Not Found' });
    expect((await bob.client.put(path, { body: 'x' })).status).toBe(404);
  });

  it('have the given time only if the owner sets it', async () => {
    const at = '2020-02-03T04:05:06.000Z';
    expect((await write(api.root, notes, { body: 'old', created_at: at })).created_at).toBe(at);
    expect((await write(ada.client, notes, { body: 'new', created_at: at })).created_at).not.toBe(at);
  });

  it('mention users and members of groups that their author can see', async () => {
    const { notes: path } = await snippet();
    const name = `team-${Date.now()}`;
    const group = await api.root.post<{ id: number }>('/groups', { name, path: name, visibility: 'private' });
    await buildMember(api, `groups/${group.body.id}`, ada.id, 10);
    const text = `@${bob.username.toUpperCase()}, @nobody and @${name}: \`@root\``;
    const root = await api.sql<{ id: number }>(`select id from users where username = 'root'`);
    const [own, strange] = [
      await write(api.root, path, { body: text }),
      await write(bob.client, path, { body: text }),
    ];
    expect(await mentionedIn(own.id)).toEqual([root[0]?.id, ada.id, bob.id]);
    expect(await mentionedIn(strange.id)).toEqual([bob.id]);
    const all = await write(bob.client, path, { body: '@all' });
    expect(await mentionedIn(all.id)).toEqual([root[0]?.id, ada.id]);
    await bob.client.put(`${path}/${all.id}`, { body: 'nobody' });
    expect(await mentionedIn(all.id)).toEqual([]);
  });

  it('are removed with the snippet, together with their emoji', async () => {
    const made = await snippet();
    const note = await write(bob.client, made.notes, { body: `@${ada.username}` });
    await bob.client.post(`${made.notes}/${note.id}/award_emoji`, { name: 'heart' });
    await ada.client.delete(`/projects/${projectId}/snippets/${made.snippetId}`);
    const [left] = await api.sql<{ left: number }>(
      `select (select count(*) from notes where id = $1) + (select count(*) from mentions where note_id = $1)
         + (select count(*) from award_emoji where awardable_id = $1 and awardable_type = 'Note') as left`,
      [note.id],
    );
    expect(left?.left).toBe(0);
  });
});
