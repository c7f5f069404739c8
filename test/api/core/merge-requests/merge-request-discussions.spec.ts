import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import {
  buildMergeRequest,
  buildMergeRequestProject,
  type MergeRequestBody,
} from '../../../support/builders/merge-request.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

interface DiscussionBody {
  readonly id: string;
  readonly notes: { readonly id: number; readonly resolved: boolean }[];
}

let api: TestApi;
let author: CreatedUser;
let developer: CreatedUser;
let reporter: CreatedUser;
let request: MergeRequestBody;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  [author, developer, reporter] = [await createUser(api), await createUser(api), await createUser(api)];
  const project = await buildMergeRequestProject(api);
  const place = `projects/${project.id}`;
  for (const user of [author, developer]) await buildMember(api, place, user.id, 30);
  await buildMember(api, place, reporter.id, 20);
  request = await buildMergeRequest(author.client, project.id, 'one');
  path = `/${place}/merge_requests/${request.iid}`;
  await api.root.put(`/${place}`, { only_allow_merge_if_all_discussions_are_resolved: true });
});
afterAll(() => api.close());

const begin = async (values: object): Promise<DiscussionBody> => {
  const { status, text, body } = await reporter.client.post<DiscussionBody>(`${path}/discussions`, values);
  if (status !== 201) throw new Error(`No discussion: ${status} ${text}`);
  return body;
};

const isSettled = async (): Promise<unknown> =>
  (await reporter.client.get(path)).body['blocking_discussions_resolved'];

describe('discussions of a merge request', () => {
  it('are resolved and reopened by Developers and the author, and block merging until resolved', async () => {
    expect(await isSettled()).toBe(true);
    const begun = await begin({ body: 'Really?' });
    expect(begun.notes).toEqual([
      expect.objectContaining({ resolvable: true, resolved: false, resolved_by: null, resolved_at: null }),
    ]);
    expect(await isSettled()).toBe(false);
    const one = `${path}/discussions/${begun.id}`;
    expect((await reporter.client.put(one, { resolved: true })).status).toBe(403);
    const settled = await author.client.put<DiscussionBody>(one, { resolved: true });
    expect([settled.status, settled.body.notes]).toEqual([
      200,
      [
        expect.objectContaining({
          resolved: true,
          resolved_by: expect.objectContaining({ id: author.id }) as unknown,
          resolved_at: expect.any(String) as unknown,
        }),
      ],
    ]);
    expect(await isSettled()).toBe(true);
    const reply = await reporter.client.post(`${one}/notes`, { body: 'Thanks' });
    expect(reply.body).toMatchObject({ resolved: true });
    const noteId = begun.notes[0]?.id ?? 0;
    const opened = await developer.client.put(`${one}/notes/${noteId}`, { resolved: false });
    expect([opened.status, opened.body['resolved']]).toEqual([200, false]);
    expect(await isSettled()).toBe(false);
    await developer.client.put(one, { resolved: true });
    expect((await developer.client.put(one, {})).body).toEqual({
      message: '400 (Bad request) "resolved" not given',
    });
  });

  it('can be at a line of the diff', async () => {
    const sha = request.sha;
    const position = { base_sha: sha, start_sha: sha, head_sha: sha, position_type: 'text' };
    const place = { ...position, new_path: 'one.txt', new_line: 1 };
    const begun = await begin({ body: 'Here', position: place });
    expect(begun.notes).toEqual([expect.objectContaining({ type: 'DiffNote', position: place })]);
    const refused = await reporter.client.post(`${path}/discussions`, {
      body: 'x',
      position: { ...position, head_sha: '../x' },
    });
    expect(refused.body).toEqual({ message: { position: { head_sha: ['is invalid'] } } });
  });

  it('are not started by plain notes, which do not block merging', async () => {
    const made = await buildMergeRequest(author.client, request.project_id, 'two');
    const other = path.replace(/\d+$/, String(made.iid));
    const note = await reporter.client.post(`${other}/notes`, { body: 'Hi' });
    expect(note.body).toMatchObject({ resolvable: false, noteable_iid: made.iid });
    expect(note.body).not.toHaveProperty('resolved');
    const shown = await reporter.client.get(other);
    expect(shown.body).toMatchObject({ blocking_discussions_resolved: true, user_notes_count: 1 });
  });
});
