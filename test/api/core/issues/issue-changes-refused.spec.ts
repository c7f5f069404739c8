import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('changes of issues', () => {
  let api: TestApi;
  let team: ProjectTeam;

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  const at = (iid: number): string => `/projects/${team.projectId}/issues/${iid}`;

  it('return 404 for a missing issue before parameters are validated', async () => {
    for (const change of [{ state_event: 'close' }, { title: ' ' }, { milestone_id: 99_999_999 }, {}])
      expect((await team.reporter.put(at(9_999), change)).body).toEqual({
        message: '404 Issue Not Found',
      });
    const hidden = await buildIssue(team.reporter, team.projectId, { confidential: true });
    expect((await team.guest.put(at(hidden.iid), { state_event: 'close' })).status).toBe(404);
    expect((await team.developer.put(at(hidden.iid), { state_event: 'close' })).body['state']).toBe('closed');
  });
});
