import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import { buildIssue } from '../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../support/builders/project-team.js';
import { createUser, type CreatedUser } from '../support/builders/user.js';
import type { ApiClient } from '../support/client.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
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

  /** What the record and the lists say to somebody; each list is read in another way. */
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

  it('counts what its reader may read', async () => {
    const others = await createUser(api);
    const readers = [api.root, team.reporter, author.client, assignee.client, team.guest, others.client];
    const seen = [];
    for (const client of readers) seen.push(await counts(client));
    expect(seen).toEqual([[4], [4], [2], [2], [1], [1]]);
  });

  it('is null for whoever may read none', async () => {
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
