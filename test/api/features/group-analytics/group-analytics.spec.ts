import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { insertIssue, insertMergeRequest } from '../../../support/builders/event.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

const METRICS = ['issues_count', 'merge_requests_count', 'new_members_count'] as const;

type Counts = Readonly<Record<(typeof METRICS)[number], number>>;

describe('group activity analytics', () => {
  let api: TestApi;
  let path: string;
  let groupId: number;
  let subgroupId: number;
  let projectId: number;
  let jane: CreatedUser;
  let guest: CreatedUser;

  beforeAll(async () => {
    api = await borrowApi();
    [jane, guest] = [await createUser(api), await createUser(api)];
    const group = await buildGroup(api, { visibility: 'public' });
    ({ id: groupId, full_path: path } = group);
    const subgroup = await buildGroup(api, { parent_id: groupId, visibility: 'private' });
    subgroupId = subgroup.id;
    projectId = (await buildProject(api.root, { namespace_id: groupId, visibility: 'public' })).id;
    const hidden = (await buildProject(api.root, { namespace_id: subgroupId })).id;
    await buildMember(api, `groups/${groupId}`, jane.id, 20);
    await buildMember(api, `groups/${subgroupId}`, jane.id, 30);
    await buildMember(api, `projects/${hidden}`, guest.id, 10);
    await insertIssue(api, projectId, null);
    await insertIssue(api, projectId, null, true);
    await insertIssue(api, projectId, guest.id, true);
    await insertIssue(api, hidden, null);
    const old = await insertIssue(api, projectId, null);
    await insertMergeRequest(api, projectId, 1);
    await insertMergeRequest(api, hidden, 1);
    await api.sql(`update issues set created_at = now() - interval '91 days' where id = $1`, [old.id]);
    await insertIssue(api, (await buildProject(api.root)).id, null);
  });
  afterAll(() => api.close());

  const counts = async (
    user = jane.client,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Counts> => {
    const answers = METRICS.map((metric) =>
      user.get<Counts>(
        `/analytics/group_activity/${metric}?${new URLSearchParams({ group_path: path, ...query }).toString()}`,
      ),
    );
    const bodies = (await Promise.all(answers)).map(({ status, body }) => {
      expect(status).toBe(200);
      return body;
    });
    return Object.assign({}, ...bodies) as Counts;
  };

  it('counts objects that the caller can read, in the group and its subgroups', async () => {
    const all = { issues_count: 4, merge_requests_count: 2, new_members_count: 2 };
    expect(await counts(api.root)).toEqual(all);
    expect(await counts()).toEqual(all);
    // A guest sees neither merge requests of a private project nor confidential objects of others.
    expect(await counts(guest.client)).toEqual({
      issues_count: 3,
      merge_requests_count: 1,
      new_members_count: 2,
    });
    const stranger = await createUser(api);
    expect((await counts(stranger.client)).issues_count).toBe(1);
    await api.sql(
      `update issues set confidential = true where project_id = $1 and iid = (
      select min(iid) from issues where project_id = $1)`,
      [projectId],
    );
    expect((await counts(stranger.client)).issues_count).toBe(0);
    await api.sql(
      `insert into issue_assignees (issue_id, user_id) select id, $2 from issues where project_id = $1 and iid = (
      select min(iid) from issues where project_id = $1)`,
      [projectId, stranger.id],
    );
    expect((await counts(stranger.client)).issues_count).toBe(1);
  });

  it('counts only members of groups, each once, while they are members', async () => {
    const hidden = await createUser(api);
    await buildMember(api, `groups/${subgroupId}`, hidden.id, 10);
    expect((await counts()).new_members_count).toBe(3);
    expect((await counts(guest.client)).new_members_count).toBe(2);
    await api.root.delete(`/groups/${subgroupId}/members/${hidden.id}`);
    expect((await counts()).new_members_count).toBe(2);
  });

  it('ignores disabled features for all callers', async () => {
    await api.root.put(`/projects/${projectId}`, { issues_access_level: 'disabled' });
    expect((await counts(api.root)).issues_count).toBe(1);
    await api.root.put(`/projects/${projectId}`, { issues_access_level: 'private' });
    expect((await counts(guest.client)).issues_count).toBe(1);
    await api.root.put(`/projects/${projectId}`, { issues_access_level: 'enabled' });
    expect((await counts(api.root)).issues_count).toBe(4);
  });

  it('counts within the window of the instance setting, or within the given times', async () => {
    await api.root.put('/application/settings', { group_activity_window_days: 100 });
    expect((await counts()).issues_count).toBe(5);
    await api.root.put('/application/settings', { group_activity_window_days: 90 });
    const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString();
    expect((await counts(jane.client, { created_after: day(92) })).issues_count).toBe(5);
    expect((await counts(jane.client, { created_before: day(2) })).issues_count).toBe(1);
    const long = { created_after: day(500), created_before: day(400) };
    expect(await counts(jane.client, long)).toEqual({
      issues_count: 0,
      merge_requests_count: 0,
      new_members_count: 0,
    });
  });

  it('remembers large counts for a minute, for each caller', async () => {
    const { id } = await buildProject(api.root, { namespace_id: groupId, visibility: 'public' });
    const fill = `insert into issues (project_id, iid, title) select $1, n, 'i' from generate_series($2::int, $3::int) n`;
    await api.sql(fill, [id, 1, 10_000]);
    expect((await counts()).issues_count).toBe(10_004);
    await api.sql(fill, [id, 10_001, 10_001]);
    expect((await counts()).issues_count).toBe(10_004);
    expect((await counts(api.root)).issues_count).toBe(10_005);
    await api.sql('delete from issues where project_id = $1', [id]);
  });

  it.each(METRICS)('refuses %s', async (metric) => {
    const url = `/analytics/group_activity/${metric}`;
    const ask = async (client = jane.client, group: string | null = path): Promise<unknown[]> => {
      const { status, body } = await client.get(
        group === null ? url : `${url}?group_path=${encodeURIComponent(group)}`,
      );
      return [status, body];
    };
    expect((await ask(api.anonymous))[0]).toBe(401);
    expect(await ask(jane.client, null)).toEqual([
      400,
      { message: '400 (Bad request) "group_path" not given' },
    ]);
    const missing = [404, { message: '404 Group Not Found' }];
    expect(await ask(jane.client, 'nowhere/at/all')).toEqual(missing);
    expect(await ask(jane.client, String(groupId))).toEqual(missing);
    const { full_path: secret } = await buildGroup(api, { visibility: 'private' });
    expect(await ask(jane.client, secret)).toEqual(missing);
    expect(
      (await jane.client.get(`${url}?group_path=${encodeURIComponent(path)}&created_after=x`)).status,
    ).toBe(400);
    await api.root.put('/application/settings', { license_plan: 'free' });
    expect(await ask()).toEqual([403, { message: '403 Forbidden' }]);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
  });
});
