import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let open: ProjectTeam;

beforeAll(async () => {
  api = await borrowApi();
  open = await buildProjectTeam(api, 'public');
});
afterAll(() => api.close());

const at = ({ iid }: { readonly iid: number }): string => `/projects/${open.projectId}/issues/${iid}`;

it('confidential issues return 404 to callers who may not read them, whatever they request', async () => {
  const hidden = await buildIssue(open.reporter, open.projectId, { confidential: true });
  const place = at(hidden);
  const link = (iid: number): object => ({ target_project_id: open.projectId, target_issue_iid: iid });
  for (const client of [open.guest, open.stranger]) {
    const seen = await buildIssue(client, open.projectId);
    const answers = [
      await client.get(place),
      await client.put(place, { title: 'x' }),
      await client.delete(place),
      await client.put(`${place}/reorder`, { move_after_id: seen.id }),
      await client.post(`${place}/move`, { to_project_id: open.projectId }),
      await client.post(`${place}/clone`, { to_project_id: open.projectId }),
      await client.get(`${place}/links`),
      await client.post(`${place}/links`, link(seen.iid)),
      await client.delete(`${place}/links/1`),
      await client.post(`${at(seen)}/links`, link(hidden.iid)),
      await client.post(`${place}/notes`, { body: 'x' }),
      await client.post(`${place}/subscribe`),
      await client.post(`${place}/award_emoji`, { name: 'heart' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  }
});

it('visible issues that they may not plan or remove are refused with 403', async () => {
  const seen = await buildIssue(open.reporter, open.projectId);
  const own = await buildIssue(open.stranger, open.projectId);
  for (const issue of [seen, own]) {
    const to = { to_project_id: open.projectId };
    const answers = [
      await open.stranger.post(`${at(issue)}/move`, to),
      await open.stranger.post(`${at(issue)}/clone`, to),
      await open.stranger.put(`${at(issue)}/reorder`, { move_after_id: seen.id }),
      await open.stranger.delete(at(issue)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
});
