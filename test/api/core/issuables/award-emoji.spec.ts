import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

interface AwardBody {
  readonly id: number;
  readonly name: string;
}

let api: TestApi;
let ada: CreatedUser;
let bob: CreatedUser;
let projectId: number;
let snippetId: number;
let snippet: string;

const NOT_FOUND = { message: '404 Award Emoji Not Found' };

beforeAll(async () => {
  api = await borrowApi();
  [ada, bob] = [await createUser(api), await createUser(api)];
  projectId = (await buildProject(api.root, { visibility: 'public' })).id;
  await buildMember(api, `projects/${projectId}`, ada.id, 20);
  const given = { title: 'How to', file_name: 'a.txt', content: 'one', visibility: 'public' };
  snippetId = (await ada.client.post<AwardBody>(`/projects/${projectId}/snippets`, given)).body.id;
  snippet = `/projects/${projectId}/snippets/${snippetId}`;
});
afterAll(() => api.close());

describe('emoji of a noteable', () => {
  it('are added once per user, shown, and removed by their user', async () => {
    const made = await bob.client.post<AwardBody>(`${snippet}/award_emoji`, { name: '+1' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number) as unknown,
        name: 'thumbsup',
        user: expect.objectContaining({ id: bob.id }) as object,
        created_at: expect.any(String) as unknown,
        updated_at: expect.any(String) as unknown,
        awardable_id: snippetId,
        awardable_type: 'Snippet',
        url: null,
      },
    ]);
    const one = `${snippet}/award_emoji/${made.body.id}`;
    expect((await bob.client.post(`${snippet}/award_emoji`, { name: 'thumbsup' })).body).toEqual(NOT_FOUND);
    expect((await ada.client.post(`${snippet}/award_emoji`, { name: 'thumbsup' })).status).toBe(201);
    expect((await api.anonymous.get(one)).body).toEqual(made.body);
    expect((await api.anonymous.get<AwardBody[]>(`${snippet}/award_emoji`)).body).toHaveLength(2);
    expect((await ada.client.delete(one)).status).toBe(403);
    expect((await bob.client.delete(one)).status).toBe(204);
    expect((await bob.client.delete(one)).body).toEqual(NOT_FOUND);
  });

  it('have the names that clients know', async () => {
    const give = async (name: unknown): Promise<readonly [number, unknown]> => {
      const { status, body } = await bob.client.post(`${snippet}/award_emoji`, { name });
      return [status, status === 201 ? body['name'] : body['message']];
    };
    for (const name of ['rocket', '100', 'tada', 'heart', 'eyes', 'thumbsdown', 'blush', 'white_check_mark'])
      expect(await give(name)).toEqual([201, name]);
    for (const name of ['nothing_like_it', ':rocket:', 'constructor'])
      expect(await give(name)).toEqual([404, NOT_FOUND.message]);
    for (const [name, kept] of [
      ['slightly_smiling_face', 'slight_smile'],
      ['upside_down', 'upside_down'],
      ['roll_eyes', 'rolling_eyes'],
      ['memo', 'pencil'],
      ['+1_tone2', 'thumbsup_tone2'],
      ['clap_tone5', 'clap_tone5'],
      ['vulcan_salute_tone1', 'vulcan_tone1'],
      ['de', 'flag_de'],
      ['flag_at', 'flag_at'],
      ['switzerland', 'flag_ch'],
      ['saudi', 'flag_sa'],
      ['tv', 'tv'],
      ['rainbow_flag', 'gay_pride_flag'],
      ['regional_indicator_z', 'regional_indicator_z'],
    ] as const)
      expect([name, await give(name)]).toEqual([name, [201, kept]]);
    for (const name of ['slight_smile', 'thumbsup_tone2', 'germany', 'pencil'])
      expect([name, await give(name)]).toEqual([name, [404, NOT_FOUND.message]]);
    for (const name of [
      'rocket_tone1',
      'thumbsup_tone6',
      '_tone1',
      'thumbsup_tone1_tone1',
      'flag_xx',
      'flag_',
    ])
      expect([name, await give(name)]).toEqual([name, [404, NOT_FOUND.message]]);
    expect(await give(['rocket'])).toEqual([400, { name: ['is invalid'] }]);
    expect((await api.anonymous.post(`${snippet}/award_emoji`, { name: 'eyes' })).status).toBe(401);
  });

  it('also exist on the notes of the noteable, and are counted there', async () => {
    const note = await ada.client.post<AwardBody>(`${snippet}/notes`, { body: 'Well?' });
    const path = `${snippet}/notes/${note.body.id}/award_emoji`;
    const [up, down] = [
      await bob.client.post<AwardBody>(path, { name: 'thumbsup' }),
      await bob.client.post<AwardBody>(path, { name: 'thumbsdown' }),
    ];
    expect(up.body).toMatchObject({ awardable_type: 'Note', awardable_id: note.body.id });
    expect((await bob.client.get(`${path}/${up.body.id}`)).body).toEqual(up.body);
    expect((await bob.client.get(`${snippet}/award_emoji/${up.body.id}`)).body).toEqual(NOT_FOUND);
    expect((await bob.client.get<AwardBody[]>(path)).body).toEqual([up.body, down.body]);
    expect((await bob.client.delete(`${path}/${down.body.id}`)).status).toBe(204);
    const votes = await api.sql('select upvotes, downvotes from notes where id = $1', [note.body.id]);
    expect(votes).toEqual([{ upvotes: 1, downvotes: 0 }]);
    expect((await bob.client.get(`${snippet}/notes/999999/award_emoji`)).body).toEqual({
      message: '404 Note Not Found',
    });
  });
});

describe('counts of issues and merge requests', () => {
  const COUNTS =
    'select user_notes_count as notes, upvotes as ups, downvotes as downs from issues where id = $1';
  const NOTE = `insert into notes (noteable_type, noteable_id, project_id, author_id, discussion_id, body, system)
    select 'Issue', $1, $2, $3, 'x', 'text', system from unnest(array[false, false, true]) system`;

  it('follow notes and votes, also when their authors are removed', async () => {
    const doomed = await createUser(api);
    const [issue] = await api.sql<{ id: number }>(
      `insert into issues (project_id, iid, title, updated_at) values ($1, 4711, 'A', '2020-01-01') returning id`,
      [projectId],
    );
    const id = issue?.id;
    const [merge] = await api.sql<{ id: number }>(
      `insert into merge_requests (id, project_id, iid, title, source_branch, target_branch) values ($1, $2, 4711, 'A', 'a', 'b') returning id`,
      [id, projectId],
    );
    await api.sql(NOTE, [id, projectId, ada.id]);
    await api.sql(
      `insert into award_emoji (name, user_id, awardable_type, awardable_id)
         select name, u, type, $1 from unnest(array['thumbsup', 'thumbsdown', 'heart']) name, unnest($2::bigint[]) u,
           unnest(array['Issue', 'MergeRequest']) type where type = 'Issue' or name = 'thumbsup'`,
      [id, [doomed.id, bob.id]],
    );
    expect(await api.sql(COUNTS, [id])).toEqual([{ notes: 2, ups: 2, downs: 2 }]);
    expect(await api.sql(COUNTS.replace('issues', 'merge_requests'), [merge?.id])).toEqual([
      { notes: 0, ups: 2, downs: 0 },
    ]);
    const [touched] = await api.sql<{ fresh: boolean }>(
      `select updated_at > now() - interval '1 hour' as fresh from issues where id = $1`,
      [id],
    );
    expect(touched?.fresh).toBe(true);
    await api.sql('delete from award_emoji where user_id = $1', [doomed.id]);
    await api.sql(`delete from notes where noteable_type = 'Issue' and noteable_id = $1`, [id]);
    expect(await api.sql(COUNTS, [id])).toEqual([{ notes: 0, ups: 1, downs: 1 }]);
    await api.sql('delete from issues where id = $1', [id]);
    const left = await api.sql(
      `select awardable_type from award_emoji where awardable_id = $1 and awardable_type in ('Issue', 'MergeRequest')`,
      [id],
    );
    expect(left).toEqual([{ awardable_type: 'MergeRequest' }]);
  });
});
