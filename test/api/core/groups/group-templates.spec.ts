import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('templates of groups', () => {
  let api: TestApi;
  let owner: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
  });
  afterAll(() => api.close());

  it('takes templates only from a project whose code the caller may read', async () => {
    const { id: hidden } = await buildProject(api.root, {});
    const own = await buildGroup(api, {}, owner.client);
    const refusal = { message: { file_template_project_id: ['is invalid'] } };
    for (const file_template_project_id of [hidden, 999_999]) {
      const changed = await owner.client.put(`/groups/${own.id}`, { file_template_project_id });
      expect([changed.status, changed.body]).toEqual([400, refusal]);
      const made = { name: 'templates', path: 'templates', file_template_project_id };
      expect((await owner.client.post('/groups', made)).body).toEqual(refusal);
    }
    const mine = await owner.client.post('/projects', { name: 'templates', namespace_id: own.id });
    for (const file_template_project_id of [mine.body['id'], null]) {
      const answer = await owner.client.put(`/groups/${own.id}`, { file_template_project_id });
      expect(answer.body).toMatchObject({ file_template_project_id });
    }
  });
});
