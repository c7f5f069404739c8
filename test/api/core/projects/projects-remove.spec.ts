import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { DeleteProjectProcessor } from '#core/projects/deletion/delete-project.processor.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('the removal of projects', () => {
  let api: TestApi;
  let owner: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
  });
  afterAll(() => api.close());

  const rowsOf = async (id: number): Promise<unknown[]> =>
    api.sql(
      `select 'projects' from projects where id = $1 union all select 'environments' from environments where project_id = $1
       union all select 'members' from members where source_type = 'Project' and source_id = $1
       union all select 'group_links' from group_links where source_type = 'Project' and source_id = $1
       union all select 'routes' from routes where source_type = 'Project' and source_id = $1`,
      [id],
    );

  const gone = async (id: number): Promise<void> => {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if ((await rowsOf(id)).length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`Still there: ${JSON.stringify(await rowsOf(id))}`);
  };

  const fill = async (id: number, groupId: number): Promise<void> => {
    await api.sql(
      `insert into environments (project_id, name, slug, tier)
       select $1, 'e' || n, 'e' || n, 'other' from generate_series(1, 2500) n`,
      [id],
    );
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, 1, 10)`,
      [id],
    );
    await owner.client.post(`/projects/${id}/share`, { group_id: groupId, group_access: 10 });
  };

  it('hides the project at once, frees its names, and removes everything in a job', async () => {
    const team = await buildGroup(api, {}, owner.client);
    const project = await buildProject(owner.client, { path: 'short-lived', visibility: 'public' });
    await fill(project.id, team.id);
    const old = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await owner.client.delete(`/projects/${project.id}`, old)).status).toBe(412);
    const answer = await owner.client.delete(`/projects/${project.id}`);
    expect([answer.status, answer.body]).toEqual([202, { message: '202 Accepted' }]);
    expect((await owner.client.get(`/projects/${project.id}`)).status).toBe(404);
    expect((await owner.client.delete(`/projects/${project.id}`)).status).toBe(404);
    expect((await api.root.get('/projects')).body).toEqual([]);
    const successor = await buildProject(owner.client, { path: 'short-lived', name: project.name });
    await gone(project.id);
    expect((await owner.client.get(`/projects/${successor.id}`)).status).toBe(200);
    const [event] = await api.sql<{ details: Record<string, unknown> }>(
      `select details from audit_events where entity_type = 'Project' and entity_id = $1 and details ? 'remove'
       and details->>'remove' = 'project'`,
      [project.id],
    );
    expect(event?.details).toMatchObject({ entity_path: project.path_with_namespace });
    await owner.client.delete(`/projects/${successor.id}`);
  });

  it('requires the Owner role', async () => {
    const project = await buildProject(owner.client, { visibility: 'public' });
    const maintainer = await createUser(api);
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, $2, 40)`,
      [project.id, maintainer.id],
    );
    expect((await maintainer.client.delete(`/projects/${project.id}`)).status).toBe(403);
    expect((await api.anonymous.delete(`/projects/${project.id}`)).status).toBe(401);
  });

  it('happens together with the group', async () => {
    const group = await buildGroup(api, {}, owner.client);
    const team = await buildGroup(api, {}, owner.client);
    const project = await buildProject(owner.client, { namespace_id: group.id });
    await fill(project.id, team.id);
    expect((await owner.client.delete(`/groups/${group.id}`)).status).toBe(202);
    expect((await owner.client.get(`/projects/${project.id}`)).status).toBe(404);
    await gone(project.id);
  });

  it('does nothing to a project that is not marked for removal, and can be repeated', async () => {
    const project = await buildProject(owner.client);
    const processor = api.app.get(DeleteProjectProcessor, { strict: false });
    const context = { signal: new AbortController().signal } as unknown as JobContext;
    await processor.process({ projectId: project.id }, context);
    expect((await owner.client.get(`/projects/${project.id}`)).status).toBe(200);
    await owner.client.delete(`/projects/${project.id}`);
    await gone(project.id);
    await processor.process({ projectId: project.id }, context);
  });

  it('waits for the grace period, during which the project can be restored', async () => {
    await api.root.put('/application/settings', { deletion_adjourned_period: 3 });
    const project = await buildProject(owner.client);
    expect((await owner.client.post(`/projects/${project.id}/restore`)).status).toBe(400);
    expect((await owner.client.delete(`/projects/${project.id}`)).status).toBe(202);
    const marked = await owner.client.get(`/projects/${project.id}`);
    expect(marked.body['marked_for_deletion_on']).toBe(new Date().toISOString().slice(0, 10));
    expect((await owner.client.delete(`/projects/${project.id}`)).status).toBe(400);
    const restored = await owner.client.post(`/projects/${project.id}/restore`);
    expect([restored.status, restored.body['marked_for_deletion_on']]).toEqual([201, null]);
    await owner.client.delete(`/projects/${project.id}`);
    await owner.client.delete(`/projects/${project.id}?permanently_remove=true`);
    await gone(project.id);
    await api.root.put('/application/settings', { deletion_adjourned_period: 0 });
  });
});
