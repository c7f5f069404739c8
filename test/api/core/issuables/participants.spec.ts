import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildMergeRequestRow } from '../../../support/builders/merge-request-row.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('participants', () => {
  let api: TestApi;
  let group: BuiltGroup;
  let projectId: number;
  let members: CreatedUser[];
  let stranger: CreatedUser;

  beforeAll(async () => {
    api = await borrowApi();
    group = await buildGroup(api, { visibility: 'private' });
    projectId = (await buildProject(api.root, { visibility: 'public' })).id;
    members = [await createUser(api), await createUser(api)];
    for (const { id } of members) await buildMember(api, `groups/${group.id}`, id, 10);
    stranger = await createUser(api);
  });
  afterAll(() => api.close());

  /** Returns the users on the first page, and the total. */
  const listed = async (client: ApiClient, path: string): Promise<[number[], number]> => {
    const { status, body, headers } = await client.get<{ id: number }[]>(`${path}/participants?per_page=100`);
    expect(status).toBe(200);
    const alone = await client.get<{ id: number }[]>(`${path}/participants?per_page=1`);
    expect([
      alone.body.map(({ id }) => id),
      alone.headers.get('x-total'),
      alone.headers.get('x-total-pages'),
    ]).toEqual([body.slice(0, 1).map(({ id }) => id), headers.get('x-total'), headers.get('x-total')]);
    return [body.map(({ id }) => id), Number(headers.get('x-total'))];
  };
  const issue = async (values: object = {}): Promise<string> => {
    const { iid } = await buildIssue(api.root, projectId, { ...values });
    return `/projects/${projectId}/issues/${iid}`;
  };
  const everybody = (): number[] => [1, ...members.map(({ id }) => id)];

  /** Expects the mentioned members in the list for members only. */
  async function isKnownInside(path: string): Promise<void> {
    const [member] = members as [CreatedUser];
    for (const client of [stranger.client, api.anonymous])
      expect(await listed(client, path)).toEqual([[1], 1]);
    for (const client of [member.client, api.root])
      expect(await listed(client, path)).toEqual([everybody(), 3]);
  }

  it('mentioned through a private group are visible only to its members', async () => {
    await isKnownInside(await issue({ description: `@${group.full_path} look` }));
    const noted = await issue();
    await api.root.post(`${noted}/notes`, { body: `@${group.full_path}` });
    await isKnownInside(noted);
    const { iid } = await buildMergeRequestRow(api, projectId, { sourceBranch: 'one' });
    const merge = `/projects/${projectId}/merge_requests/${iid}`;
    await api.root.put(merge, { description: `@${group.full_path}` });
    await isKnownInside(merge);
  });

  it('mentioned by name or through public groups are visible to everyone', async () => {
    const [first] = members as [CreatedUser];
    const path = await issue({ description: `@${group.full_path}` });
    const change = (description: string): Promise<unknown> => api.root.put(path, { description });
    await change(`@${group.full_path} and @${first.username}`);
    expect(await listed(stranger.client, path)).toEqual([[1, first.id], 2]);
    await change(`@${group.full_path}`);
    expect(await listed(stranger.client, path)).toEqual([[1], 1]);
    await api.root.put(`/groups/${group.id}`, { visibility: 'public' });
    expect(await listed(stranger.client, path)).toEqual([everybody(), 3]);
    await api.root.put(`/groups/${group.id}`, { visibility: 'private' });
    expect(await listed(stranger.client, path)).toEqual([[1], 1]);
  });

  it('keep their visibility if an issue is copied or their group is removed', async () => {
    const passing = await buildGroup(api, { visibility: 'public' });
    const [first] = members as [CreatedUser];
    await buildMember(api, `groups/${passing.id}`, first.id, 10);
    const path = await issue({ description: `@${passing.full_path}` });
    await api.root.post(`${path}/notes`, { body: `@${group.full_path}` });
    const cloned = await api.root.post<{ iid: number }>(`${path}/clone?with_notes=true`, {
      to_project_id: projectId,
    });
    const copy = `/projects/${projectId}/issues/${cloned.body.iid}`;
    expect(await listed(stranger.client, copy)).toEqual([[1, first.id], 2]);
    await api.sql('update namespaces set pending_delete = true where id = $1', [passing.id]);
    expect(await listed(stranger.client, copy)).toEqual([[1], 1]);
    await api.sql('delete from namespaces where id = $1', [passing.id]);
    expect(await listed(stranger.client, path)).toEqual([[1], 1]);
    expect(await listed(api.root, path)).toEqual([everybody(), 3]);
  });

  it('of unknown origin are visible only to administrators', async () => {
    const [first] = members as [CreatedUser];
    const path = await issue();
    await api.sql(
      `insert into mentions (target_type, target_id, user_id) select 'Issue', max(id), $1 from issues where project_id = $2`,
      [first.id, projectId],
    );
    expect(await listed(stranger.client, path)).toEqual([[1], 1]);
    expect(await listed(api.root, path)).toEqual([[1, first.id], 2]);
  });

  it('who cannot read the noteable are not counted', async () => {
    const [first, second] = members as [CreatedUser, CreatedUser];
    const both = `@${first.username} @${second.username}`;
    const path = await issue({ confidential: true, description: both, assignee_ids: [second.id] });
    expect(await listed(api.root, path)).toEqual([[1, second.id], 2]);
    await buildMember(api, `projects/${projectId}`, first.id, 20);
    expect(await listed(api.root, path)).toEqual([[1, first.id, second.id], 3]);
    await api.sql(`update users set state = 'blocked' where id = $1`, [second.id]);
    expect(await listed(api.root, path)).toEqual([[1, first.id], 2]);
    await api.sql(`update users set state = 'active' where id = $1`, [second.id]);
  });
});
