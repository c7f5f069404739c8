import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildProject } from '../../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../../support/builders/project-team.js';
import { borrowApi } from '../../../../support/shared-api.js';

let api: TestApi;
let team: ProjectTeam;
beforeAll(async () => {
  api = await borrowApi();
  team = await buildProjectTeam(api);
});
afterAll(() => api.close());

it('the allowlist of job tokens does not name projects that the caller cannot see', async () => {
  const path = `/projects/${team.projectId}/job_token_scope/allowlist`;
  const hidden = await buildProject(api.root);
  expect((await api.root.post(path, { target_project_id: hidden.id })).status).toBe(201);
  const seen = await team.maintainer.get(path);
  expect([seen.body, seen.headers.get('X-Total')]).toEqual([[], '0']);
  expect((await api.root.get(path)).body).toMatchObject([{ id: hidden.id }]);
});
