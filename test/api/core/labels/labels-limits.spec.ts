import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

const LIMIT = 200;

/** New names, as many as asked for, of which none has been used before. */
const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('the number of labels', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let groupId: number;

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
    groupId = (await buildGroup(api)).id;
  });
  afterAll(() => api.close());

  const issues = (): string => `/projects/${team.projectId}/issues`;
  const labels = async (): Promise<number> =>
    Number((await team.reporter.get(`/projects/${team.projectId}/labels?per_page=1`)).headers.get('x-total'));

  it('that one request names is limited, however they are written', async () => {
    const before = await labels();
    const tooMany = { message: { labels: ['has too many items (maximum is 200)'] } };
    const written = [
      names('a', LIMIT + 1),
      names('a', LIMIT + 1).join(','),
      // An item of a list may hold several names too.
      [names('a', LIMIT).join(','), 'one more'],
      Array.from({ length: 100 }, (_, at) => names(`l${at}-`, 1_000).join(',')),
    ];
    for (const sent of written) {
      const answer = await team.reporter.post(issues(), { title: 'Many', labels: sent });
      expect([answer.status, answer.body]).toEqual([400, tooMany]);
    }
    const { iid } = await buildIssue(team.reporter, team.projectId);
    for (const name of ['labels', 'add_labels', 'remove_labels'])
      expect((await team.reporter.put(`${issues()}/${iid}`, { [name]: written[2] })).status).toBe(400);
    expect(await labels()).toBe(before);
    const most = await buildIssue(team.reporter, team.projectId, { labels: [names('a', LIMIT).join(',')] });
    expect(most.labels).toHaveLength(LIMIT);
  });

  /** Adds labels to something that has the most, and takes one away. */
  async function fill(client: ApiClient, path: string): Promise<void> {
    expect((await client.put(path, { labels: names('b', LIMIT) })).status).toBe(200);
    const refused = { message: { labels: ['are too many (maximum is 200)'] } };
    expect((await client.put(path, { add_labels: 'another' })).body).toEqual(refused);
    expect((await client.put(path, { add_labels: 'another', remove_labels: 'b0' })).status).toBe(200);
    expect((await client.put(path, { add_labels: 'b0' })).body).toEqual(refused);
    expect((await client.put(path, { add_labels: 'another' })).status).toBe(200);
    expect((await client.get<{ labels: string[] }>(path)).body.labels).toHaveLength(LIMIT);
  }

  it('of an issue is limited', async () => {
    const { iid } = await buildIssue(team.reporter, team.projectId);
    await fill(team.reporter, `${issues()}/${iid}`);
    await team.maintainer.post(`/projects/${team.projectId}/labels`, { name: 'last', color: '#112233' });
    const note = await team.reporter.post(`${issues()}/${iid}/notes`, { body: '/label ~last' });
    expect([note.status, JSON.stringify(note.body)]).toEqual([202, expect.stringContaining('too many')]);
  });

  it('of an epic is limited', async () => {
    const epics = `/groups/${groupId}/epics`;
    const epic = await api.root.post<{ iid: number }>(epics, { title: 'Epic' });
    await fill(api.root, `${epics}/${epic.body.iid}`);
  });

  it('that an issue already has may be reduced above the limit', async () => {
    const { id, iid } = await buildIssue(team.reporter, team.projectId);
    await api.sql(
      `insert into labels (project_id, title, color) select $1::bigint, 'c' || i, '#112233' from generate_series(1, 250) i`,
      [team.projectId],
    );
    await api.sql(
      `insert into issue_labels (issue_id, label_id) select $2::bigint, id from labels where project_id = $1 and title like 'c%'`,
      [team.projectId, id],
    );
    expect((await team.reporter.put(`${issues()}/${iid}`, { remove_labels: 'c1' })).status).toBe(200);
    expect((await team.reporter.put(`${issues()}/${iid}`, { add_labels: 'c1' })).status).toBe(400);
  });
});
