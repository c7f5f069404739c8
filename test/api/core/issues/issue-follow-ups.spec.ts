import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { BuiltIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildMergeRequest, buildMergeRequestProject } from '../../../support/builders/merge-request.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Shown {
  readonly id: string;
  readonly notes: { readonly id: number; readonly body: string; readonly resolved?: boolean }[];
}

let api: TestApi;
let developer: CreatedUser;
let guest: CreatedUser;
let place: string;
let request: string;
let iid: number;

beforeAll(async () => {
  api = await borrowApi();
  [developer, guest] = [await createUser(api), await createUser(api)];
  const project = await buildMergeRequestProject(api);
  place = `/projects/${project.id}`;
  await buildMember(api, place.slice(1), developer.id, 30);
  await buildMember(api, place.slice(1), guest.id, 10);
  ({ iid } = await buildMergeRequest(api.root, project.id, 'one'));
  request = `${place}/merge_requests/${iid}`;
});
afterAll(() => api.close());

const begin = async (body: string): Promise<Shown> =>
  (await api.root.post<Shown>(`${request}/discussions`, { body })).body;

const isSettled = async ({ id }: Shown): Promise<unknown> =>
  (await api.root.get<Shown>(`${request}/discussions/${id}`)).body.notes[0]?.resolved;

const follow = (client: ApiClient, values: object): Promise<Answer<BuiltIssue>> =>
  client.post<BuiltIssue>(`${place}/issues`, {
    title: 'Go on here',
    merge_request_to_resolve_discussions_of: iid,
    ...values,
  });

describe('an issue that continues discussions of a merge request', () => {
  it('resolves one of them, and names it', async () => {
    const [one, other] = [await begin('What of errors?'), await begin('And of time?')];
    const { status, body } = await follow(developer.client, { discussion_to_resolve: one.id });
    expect(status).toBe(201);
    expect(body.description).toContain(`!${iid}`);
    expect(body.description).toContain(`#note_${one.notes[0]?.id}`);
    expect(body.description).not.toContain(`#note_${other.notes[0]?.id}`);
    expect([await isSettled(one), await isSettled(other)]).toEqual([true, false]);
    const notes = await api.root.get<{ body: string; system: boolean }[]>(`${request}/notes`);
    // The new issue mentions the merge request, for which a job writes a note too.
    const told = notes.body.filter((note) => note.system && !note.body.startsWith('mentioned in'));
    expect(told[0]?.body).toBe(`created #${body.iid} to continue this discussion`);
  });

  it('resolves all open ones, keeps a given description, and does not reveal the number of a confidential issue', async () => {
    const [one, other] = [await begin('Names?'), await begin('Tests?')];
    const values = { description: 'As talked about', confidential: true };
    const { body } = await follow(api.root, values);
    expect(body.description).toBe('As talked about');
    expect([await isSettled(one), await isSettled(other)]).toEqual([true, true]);
    const notes = await api.root.get<{ body: string }[]>(`${request}/notes`);
    expect(notes.body[0]?.body).toMatch(/^created a confidential issue to continue these discussions$/);
    expect((await follow(api.root, {})).body.description).toBeNull();
  });

  it('is created without resolving them by users who may not resolve them', async () => {
    const one = await begin('Open?');
    const made = await follow(guest.client, {});
    expect([made.status, made.body.description, await isSettled(one)]).toEqual([404, undefined, false]);
    await api.root.put(place, { visibility: 'public' });
    const second = await follow(guest.client, {});
    expect([second.status, second.body.description, await isSettled(one)]).toEqual([201, null, false]);
  });

  it('requires an existing merge request and discussion', async () => {
    const nowhere = await follow(api.root, { merge_request_to_resolve_discussions_of: 999 });
    expect([nowhere.status, nowhere.body]).toEqual([404, { message: '404 Merge Request Not Found' }]);
    const unheard = await follow(api.root, { discussion_to_resolve: 'f'.repeat(40) });
    expect([unheard.status, unheard.body]).toEqual([404, { message: '404 Discussion Not Found' }]);
    const wrong = await follow(api.root, { merge_request_to_resolve_discussions_of: 'x' });
    expect(wrong.status).toBe(400);
    await api.root.put(place, { merge_requests_access_level: 'disabled' });
    expect((await follow(developer.client, {})).status).toBe(404);
  });
});
