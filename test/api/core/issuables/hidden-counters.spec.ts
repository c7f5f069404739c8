import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildMergeRequestRow } from '../../../support/builders/merge-request-row.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

describe('open_issues_count', () => {
  let team: ProjectTeam;
  let author: CreatedUser;
  let assignee: CreatedUser;

  interface Shown {
    readonly id: number;
    readonly open_issues_count: number | null;
  }

  beforeAll(async () => {
    team = await buildProjectTeam(api, 'public');
    [author, assignee] = [await createUser(api), await createUser(api)];
    const { projectId, reporter } = team;
    await buildIssue(reporter, projectId);
    await buildIssue(reporter, projectId, { confidential: true });
    await buildIssue(author.client, projectId, { confidential: true });
    await buildIssue(reporter, projectId, { confidential: true, assignee_ids: [assignee.id] });
    const { iid } = await buildIssue(reporter, projectId, { confidential: true });
    await reporter.put(`/projects/${projectId}/issues/${iid}`, { state_event: 'close' });
  });

  /** Returns the values in the record and in the lists for a caller; each list is read differently. */
  const counts = async (client: ApiClient): Promise<(number | null | undefined)[]> => {
    const { projectId, path } = team;
    const found = [(await client.get<Shown>(`/projects/${projectId}`)).body];
    const lists = ['', `search=${path.replace('root/', '')}`, 'statistics=true&order_by=name'];
    for (const query of [...lists.map((list) => `/projects?${list}`), '/users/root/projects?']) {
      const { body } = await client.get<Shown[]>(`${query}&per_page=100`);
      found.push(body.find(({ id }) => id === projectId) as Shown);
    }
    return [...new Set(found.map((one) => one.open_issues_count))];
  };

  it('counts only issues that the caller may read', async () => {
    const others = await createUser(api);
    const readers = [api.root, team.reporter, author.client, assignee.client, team.guest, others.client];
    const seen = [];
    for (const client of readers) seen.push(await counts(client));
    expect(seen).toEqual([[4], [4], [2], [2], [1], [1]]);
  });

  it('is null for callers who may read none', async () => {
    const path = `/projects/${team.projectId}`;
    const seen = async (): Promise<unknown> =>
      Promise.all([team.stranger, team.guest, team.reporter, api.root].map(counts));
    await api.root.put(path, { issues_access_level: 'private' });
    expect(await seen()).toEqual([[null], [1], [4], [4]]);
    await api.root.put(path, { issues_access_level: 'disabled' });
    expect(await seen()).toEqual([[null], [null], [null], [null]]);
    await api.root.put(path, { issues_access_level: 'enabled' });
  });
});

describe('open_merge_requests_count of a label', () => {
  const count = async (client: ApiClient, place: string): Promise<unknown> => {
    const { body } = await client.get<object[]>(`/${place}/labels?with_counts=true`);
    return (body[0] as Record<string, unknown>)['open_merge_requests_count'];
  };

  /** Creates a label of a project or group, and a merge request of the project with it. */
  async function labelled(place: string, projectId: number): Promise<void> {
    const made = await api.root.post<{ id: number }>(`/${place}/labels`, { name: 'seen', color: '#fff' });
    const { id } = await buildMergeRequestRow(api, projectId, { sourceBranch: 'one' });
    await api.sql('insert into merge_request_labels (merge_request_id, label_id) values ($1, $2)', [
      id,
      made.body.id,
    ]);
  }

  it('counts only those that the caller may read, none for guests of a private project', async () => {
    const team = await buildProjectTeam(api);
    const place = `projects/${team.projectId}`;
    await labelled(place, team.projectId);
    expect([await count(team.guest, place), await count(team.reporter, place)]).toEqual([0, 1]);
    await api.root.put(`/${place}`, { visibility: 'public', merge_requests_access_level: 'private' });
    const seen = [team.guest, team.stranger, api.anonymous].map((client) => count(client, place));
    expect(await Promise.all(seen)).toEqual([1, 0, 0]);
  });

  it('depends on the role in each project of a group', async () => {
    const group = await buildGroup(api);
    const { id: projectId } = await buildProject(api.root, { namespace_id: group.id });
    const place = `groups/${group.id}`;
    await labelled(place, projectId);
    const guest = await createUser(api);
    await buildMember(api, place, guest.id, 10);
    expect(await count(guest.client, place)).toBe(0);
    await buildMember(api, `projects/${projectId}`, guest.id, 20);
    expect(await count(guest.client, place)).toBe(1);
  });
});
