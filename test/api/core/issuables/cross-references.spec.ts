import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReadTextProcessor } from '#core/cross-references/read-text.processor.js';
import { ISSUES_PAGE } from '#core/issues/exchange/issue-json.sql.js';
import type { TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildMergeRequestRow } from '../../../support/builders/merge-request-row.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { allRead, allTold, mentionsOf, systemNotes } from '../../../support/mentions.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let group: BuiltGroup;
let web: BuiltProject;
let app: BuiltProject;
let secret: BuiltProject;
let developer: CreatedUser;
let guest: CreatedUser;
let stranger: CreatedUser;

/** A public group with two projects, and a private project that only the developer knows. */
beforeAll(async () => {
  api = await borrowApi();
  group = await buildGroup(api, { visibility: 'public' });
  const place = { namespace_id: group.id, visibility: 'public' };
  [web, app] = [await buildProject(api.root, place), await buildProject(api.root, place)];
  secret = await buildProject(api.root, { visibility: 'private' });
  [developer, guest, stranger] = [await createUser(api), await createUser(api), await createUser(api)];
  await buildMember(api, `groups/${group.id}`, developer.id, 30);
  await buildMember(api, `groups/${group.id}`, guest.id, 10);
  await buildMember(api, `projects/${secret.id}`, developer.id, 30);
});
afterAll(() => api.close());

interface Place {
  readonly iid: number;
  readonly path: string;
}

async function issue(project = web, values: object = {}, client = developer.client): Promise<Place> {
  const { iid } = await buildIssue(client, project.id, { ...values });
  return { iid, path: `/projects/${project.id}/issues/${iid}` };
}

async function mergeRequest(project = web, branch = 'topic'): Promise<Place & { id: number }> {
  const values = { authorId: developer.id, sourceBranch: branch, headSha: null };
  const { id, iid } = await buildMergeRequestRow(api, project.id, values);
  return { id, iid, path: `/projects/${project.id}/merge_requests/${iid}` };
}

const say = async (
  path: string,
  body: string,
  values: object = {},
  client = developer.client,
): Promise<number> => {
  const answer = await client.post<{ id: number }>(`${path}/notes`, { body, ...values });
  expect(answer.status).toBe(201);
  return answer.body.id;
};

/** Sets the description of an issue without the service, so that no job reads it. */
const write = ({ iid }: Place, text: string): Promise<unknown> =>
  api.sql('update issues set description = $3 where project_id = $1 and iid = $2', [web.id, iid, text]);

async function read({ path }: Place): Promise<void> {
  const { id } = (await developer.client.get<{ id: number }>(path)).body;
  const place = { type: 'Issue', id, noteId: null, actorId: developer.id } as const;
  await api.app.get(ReadTextProcessor, { strict: false }).process(place);
}

describe('an object mentioned in a text', () => {
  it('gets one note, by the author of the text, however often it is mentioned', async () => {
    const named = await issue();
    const naming = await issue(web, {
      title: `After #${named.iid}`,
      description: `#${named.iid} #${named.iid}`,
    });
    expect(await mentionsOf(api, guest.client, named.path)).toEqual([`mentioned in issue #${naming.iid}`]);
    const [note] = await systemNotes(api, guest.client, named.path);
    expect(note).toMatchObject({ system: true, author: { id: developer.id } });
    await say(naming.path, `#${named.iid} again`, {}, guest.client);
    await developer.client.put(naming.path, { description: `still #${named.iid}` });
    await developer.client.put(naming.path, { description: 'no more', title: 'No more' });
    expect(await mentionsOf(api, guest.client, named.path)).toHaveLength(1);
    expect((await guest.client.get(named.path)).body).toMatchObject({ user_notes_count: 0 });
  });

  it('is mentioned from other projects by short and full paths, and by URLs', async () => {
    const named = await issue();
    const other = await issue(app, { description: `${web.path}#${named.iid}` });
    const merge = await mergeRequest(app);
    await allRead(api);
    await say(
      merge.path,
      `see http://forgeplane.test/${web.path_with_namespace}/-/issues/${named.iid}#note_1`,
    );
    await allRead(api);
    const far = await issue(secret, { description: `${web.path_with_namespace}#${named.iid}` });
    expect(await mentionsOf(api, developer.client, named.path)).toEqual([
      `mentioned in issue ${app.path}#${other.iid}`,
      `mentioned in merge request ${app.path}!${merge.iid}`,
      `mentioned in issue ${secret.path_with_namespace}#${far.iid}`,
    ]);
  });

  it('is a merge request or an epic as well, and is mentioned by epics', async () => {
    const merge = await mergeRequest(web, 'second');
    const naming = await issue(web, { description: `!${merge.iid}` });
    expect(await mentionsOf(api, developer.client, merge.path)).toEqual([
      `mentioned in issue #${naming.iid}`,
    ]);
    const epics = `/groups/${group.id}/epics`;
    const epic = await api.root.post<{ id: number; iid: number }>(epics, { title: 'Big' });
    await say(naming.path, `part of &${epic.body.iid}`);
    await allRead(api);
    const next = await api.root.post<{ iid: number }>(epics, {
      title: 'Bigger',
      description: `&${epic.body.iid} and ${web.path}#${naming.iid}`,
    });
    expect(await mentionsOf(api, developer.client, `${epics}/${epic.body.id}`)).toEqual([
      `mentioned in issue ${web.path}#${naming.iid}`,
      `mentioned in epic &${next.body.iid}`,
    ]);
    expect(await mentionsOf(api, developer.client, naming.path)).toEqual([
      `mentioned in epic ${group.full_path}&${next.body.iid}`,
    ]);
  });

  it('is not found in code, and is neither the noteable itself nor a missing object', async () => {
    const named = await issue();
    const naming = await issue(web, {
      description: `\`#${named.iid}\`\n\`\`\`\n#${named.iid}\n\`\`\`\n#99999 nowhere/at-all#1 &7 !7`,
    });
    await say(naming.path, `this is #${naming.iid}`);
    expect(await mentionsOf(api, developer.client, named.path)).toEqual([]);
    expect(await mentionsOf(api, developer.client, naming.path)).toEqual([]);
  });

  it('gets one note when the same text is read several times, also at once', async () => {
    const [named, naming] = [await issue(), await issue()];
    await write(naming, `#${named.iid}`);
    await Promise.all([1, 2, 3, 4].map(() => read(naming)));
    await read(naming);
    expect(await mentionsOf(api, developer.client, named.path)).toHaveLength(1);
  });

  it('is not changed otherwise: no event, no mail, no new time', async () => {
    const [named, naming] = [await issue(), await issue()];
    await write(naming, `#${named.iid}`);
    await allRead(api);
    await allTold(api);
    const before = await developer.client.get(named.path);
    const told = `select (select count(*) from events)::int as events, (select count(*) from mentions)::int as mentions,
      (select count(*) from background_jobs where name like 'notifications.%')::int as mails`;
    const [first] = await api.sql(told);
    await read(naming);
    expect(await mentionsOf(api, developer.client, named.path)).toHaveLength(1);
    expect((await api.sql(told))[0]).toEqual(first);
    expect((await developer.client.get(named.path)).body).toEqual(before.body);
  });
});

describe('a user who cannot read a source', () => {
  it('does not learn of it: in lists, single notes, discussions, counts, emoji, changes', async () => {
    const named = await issue();
    const far = await issue(secret, { description: `${web.path_with_namespace}#${named.iid}` });
    await allRead(api);
    const near = await issue(web, { description: `#${named.iid}` });
    const [hidden, shown] = await systemNotes(api, developer.client, named.path);
    expect(hidden?.body).toBe(`mentioned in issue ${secret.path_with_namespace}#${far.iid}`);
    for (const { client } of [guest, stranger]) {
      const list = await client.get(`${named.path}/notes`);
      expect(list.body).toMatchObject([{ body: `mentioned in issue #${near.iid}` }]);
      expect(list.headers.get('x-total')).toBe('1');
      const discussions = await client.get<{ notes: { id: number }[] }[]>(`${named.path}/discussions`);
      expect(discussions.body.map(({ notes }) => notes.map(({ id }) => id))).toEqual([[shown?.id]]);
      const one = `${named.path}/notes/${hidden?.id ?? 0}`;
      for (const answer of [
        await client.get(one),
        await client.put(one, { body: 'x' }),
        await client.delete(one),
        await client.get(`${one}/award_emoji`),
        await client.post(`${one}/award_emoji`, { name: 'eyes' }),
      ])
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Note Not Found' }]);
    }
    // Everyone sees it only as long as they can read the source.
    await buildMember(api, `projects/${secret.id}`, guest.id, 10);
    expect(await mentionsOf(api, guest.client, named.path)).toHaveLength(2);
    expect((await api.root.delete(`/projects/${secret.id}/members/${guest.id}`)).status).toBe(204);
    expect(await mentionsOf(api, guest.client, named.path)).toHaveLength(1);
    expect(await mentionsOf(api, api.root, named.path)).toHaveLength(2);
  });

  it('does not learn of confidential issues and epics, nor of merge requests for members only', async () => {
    const named = await issue();
    const hidden = await issue(web, { description: `#${named.iid}`, confidential: true });
    await api.root.post(`/groups/${group.id}/epics`, {
      title: 'Hidden',
      description: `${web.path}#${named.iid}`,
      confidential: true,
    });
    const merge = await mergeRequest(app, 'third');
    await say(merge.path, `${web.path}#${named.iid}`);
    await allRead(api);
    const all = await mentionsOf(api, developer.client, named.path);
    expect(all).toHaveLength(3);
    expect(await mentionsOf(api, guest.client, named.path)).toEqual([all[2]]);
    await api.root.put(`/projects/${app.id}`, { merge_requests_access_level: 'private' });
    expect(await mentionsOf(api, stranger.client, named.path)).toEqual([]);
    expect(await mentionsOf(api, guest.client, named.path)).toEqual([all[2]]);
    await api.root.put(`/projects/${app.id}`, { merge_requests_access_level: 'enabled' });
    await developer.client.put(hidden.path, { confidential: false });
    expect(await mentionsOf(api, stranger.client, named.path)).toEqual([all[0], all[2]]);
  });

  it('does not learn of internal notes, which create no references', async () => {
    const named = await issue();
    const naming = await issue();
    await say(naming.path, `#${named.iid}`, { internal: true });
    expect(await mentionsOf(api, developer.client, named.path)).toEqual([]);
    await say(naming.path, `#${named.iid}`);
    expect(await mentionsOf(api, developer.client, named.path)).toHaveLength(1);
  });

  it('writes no note on objects that they cannot read, and none into archived projects', async () => {
    const hidden = await issue(secret);
    const confidential = await issue(web, { confidential: true });
    const archived = await buildProject(api.root, { visibility: 'public' });
    const old = await issue(archived, {}, api.root);
    await api.root.post(`/projects/${archived.id}/archive`);
    const text = `${secret.path_with_namespace}#${hidden.iid} #${confidential.iid} ${archived.path_with_namespace}#${old.iid}`;
    await issue(web, { description: text }, stranger.client);
    for (const { path } of [hidden, confidential, old])
      expect(await mentionsOf(api, api.root, path)).toEqual([]);
  });

  it('learns nothing from an export, which only includes objects of the same project', async () => {
    const named = await issue();
    await issue(secret, { description: `${web.path_with_namespace}#${named.iid}` });
    const near = await issue(web, { description: `#${named.iid}` });
    await allRead(api);
    const rows = await api.sql<{ json: string }>(ISSUES_PAGE, [web.id, 0, 1000, 1]);
    const exported = rows.find(({ json }) => json.includes(`"mentioned in issue #${near.iid}"`));
    expect(exported?.json).not.toContain(secret.path_with_namespace);
  });

  it('learns nothing from a copy of the issue, or from imports', async () => {
    const named = await issue();
    await issue(secret, { description: `${web.path_with_namespace}#${named.iid}` });
    await allRead(api);
    const moved = await developer.client.post<{ iid: number }>(`${named.path}/move`, {
      to_project_id: app.id,
    });
    expect(moved.status).toBe(201);
    const there = `/projects/${app.id}/issues/${moved.body.iid}`;
    expect(await mentionsOf(api, developer.client, there)).toHaveLength(1);
    expect(await mentionsOf(api, guest.client, there)).toEqual([]);
    await api.sql(
      `insert into notes (noteable_type, noteable_id, project_id, discussion_id, body, system, system_action)
       select 'Issue', id, project_id, 'imported', 'mentioned in issue far/away#1', true, 'cross_reference' from issues
       where project_id = $1 and iid = $2`,
      [app.id, moved.body.iid],
    );
    expect(await mentionsOf(api, guest.client, there)).toEqual([]);
    expect(await mentionsOf(api, developer.client, there)).toHaveLength(2);
  });
});

it('is removed with its source, and with the object', async () => {
  const named = await issue();
  const naming = await issue(web, { description: `#${named.iid}` });
  expect(await mentionsOf(api, developer.client, named.path)).toHaveLength(1);
  expect((await api.root.delete(naming.path)).status).toBe(204);
  expect(await mentionsOf(api, developer.client, named.path)).toEqual([]);
  await issue(web, { description: `#${named.iid}` });
  await allRead(api);
  expect((await api.root.delete(named.path)).status).toBe(204);
  const left = `select count(*)::int as left from note_sources x where not exists (select 1 from notes n where n.id = x.note_id)`;
  expect(await api.sql(left)).toEqual([{ left: 0 }]);
});

it('relates merge requests to issues, whichever of the two names the other, for those who can read them', async () => {
  const named = await issue();
  const [one, two] = [await mergeRequest(web, 'fourth'), await mergeRequest(app, 'fifth')];
  await say(one.path, `for #${named.iid}`);
  await say(named.path, `${app.path}!${two.iid} does it`);
  await allRead(api);
  const related = async (client = stranger.client): Promise<unknown[]> =>
    (await client.get<{ id: number }[]>(`${named.path}/related_merge_requests`)).body.map(({ id }) => id);
  expect(await related()).toEqual([one.id, two.id]);
  expect((await stranger.client.get(`${named.path}/closed_by`)).body).toEqual([]);
  await api.root.put(`/projects/${app.id}`, { merge_requests_access_level: 'private' });
  expect(await related()).toEqual([one.id]);
  expect(await related(api.anonymous)).toEqual([one.id]);
  await api.root.put(`/projects/${app.id}`, { merge_requests_access_level: 'enabled' });
});
