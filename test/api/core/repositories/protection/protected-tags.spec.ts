import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { borrowApi } from '../../../../support/shared-api.js';

let api: TestApi;
let code: CodeProject;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  code = await buildCodeProject(api);
  path = `/projects/${code.id}/protected_tags`;
});
afterAll(async () => {
  code.work.remove();
  await api.close();
});

describe('protected tags', () => {
  it('are created, shown, listed and removed', async () => {
    const made = await code.maintainer.post(path, { name: 'v*' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        name: 'v*',
        create_access_levels: [
          {
            id: expect.any(Number),
            access_level: 40,
            access_level_description: 'Maintainers',
            user_id: null,
            group_id: null,
          },
        ],
      },
    ]);
    expect((await code.maintainer.get(`${path}/v*`)).body).toEqual(made.body);
    const values = { name: 'mine', allowed_to_create: [{ user_id: code.developerId }] };
    expect((await code.maintainer.post(path, values)).body).toMatchObject({
      create_access_levels: [{ user_id: code.developerId, access_level: null }],
    });
    const list = await code.maintainer.get<{ name: string }[]>(path);
    expect(list.body.map(({ name }) => name)).toEqual(['mine', 'v*']);
    expect((await code.maintainer.post(path, { name: 'v*' })).body).toEqual({
      message: "Protected tag 'v*' already exists",
    });
    for (const name of ['a b', '-d', ['x'], '', 'x'.repeat(10_240)])
      expect((await code.maintainer.post(path, { name })).status).toBe(400);
    // A branch of the same name is not affected.
    expect((await code.maintainer.get(`/projects/${code.id}/protected_branches`)).body).toEqual([]);
  });

  it('can be created only by permitted users', async () => {
    const tags = `/projects/${code.id}/repository/tags`;
    const refused = await code.developer.post(tags, { tag_name: 'v1', ref: 'main' });
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: 'You are not allowed to create this tag as it is protected.' },
    ]);
    expect((await code.maintainer.post(tags, { tag_name: 'v1', ref: 'main' })).body).toMatchObject({
      name: 'v1',
      protected: true,
    });
    expect((await code.developer.post(tags, { tag_name: 'mine', ref: 'main' })).status).toBe(201);
    expect((await code.maintainer.delete(`${tags}/v1`)).status).toBe(204);
  });

  it('are managed by Maintainers', async () => {
    expect((await code.developer.get(path)).status).toBe(403);
    expect((await code.developer.post(path, { name: 'x' })).status).toBe(403);
    expect((await code.developer.delete(`${path}/v*`)).status).toBe(403);
    expect((await code.maintainer.delete(`${path}/v*`)).status).toBe(204);
    expect((await code.maintainer.get(`${path}/v*`)).body).toEqual({
      message: '404 Protected Tag Not Found',
    });
    const events = await api.sql<{ name: string }>(
      `select details ->> 'event_name' as name from audit_events where entity_id = $1 and entity_type = 'Project' and details ->> 'target_type' = 'ProtectedTag' order by id`,
      [code.id],
    );
    expect(events.map(({ name }) => name)).toEqual([
      'protected_tag_created',
      'protected_tag_created',
      'protected_tag_removed',
    ]);
  });
});
