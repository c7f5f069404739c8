import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { buildGroup } from '../../../support/builders/group.js';
import { createUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

interface Fork {
  readonly id: number;
  readonly import_status: string;
  readonly forked_from_project: { readonly id: number };
}

describe('forks of projects', () => {
  let api: TestApi;
  let code: CodeProject;
  const at = (): string => `/projects/${code.id}/fork`;

  beforeAll(async () => {
    api = await borrowApi();
    code = await buildCodeProject(api, (work) => work.git('tag', 'v1'));
    await api.sql('update projects set empty_repo = false where id = $1', [code.id]);
  });
  afterAll(() => api.close());

  it('contain the code of the project once a job has copied it', async () => {
    const made = await code.reporter.post<Fork>(at(), { path: 'mine', description: 'My own' });
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        path: 'mine',
        description: 'My own',
        visibility: 'private',
        import_status: 'scheduled',
        forked_from_project: { id: code.id },
      },
    ]);
    const fork = async (): Promise<Fork> => (await code.reporter.get<Fork>(`/projects/${made.body.id}`)).body;
    await until(async () => (await fork()).import_status === 'finished');
    expect(await fork()).toMatchObject({ default_branch: 'main', empty_repo: false });
    const path = `/projects/${made.body.id}/repository`;
    expect((await code.reporter.get<object[]>(`${path}/commits`)).body).toMatchObject([
      { id: code.commits[1] },
      { id: code.commits[0] },
    ]);
    expect((await code.reporter.get(`${path}/tags/v1`)).status).toBe(200);
    expect((await code.reporter.get(`${path}/branches/main`)).body).toMatchObject({ protected: true });
    expect((await api.root.get<Fork[]>(`/projects/${code.id}/forks`)).body).toMatchObject([
      { id: made.body.id },
    ]);
    // Forms send a blank for no namespace.
    for (const none of [{}, { namespace_id: '' }, { namespace_path: '' }, { namespace: '' }]) {
      const again = await code.reporter.post(at(), { path: 'mine', ...none });
      expect([again.status, again.body]).toEqual([
        409,
        { message: { name: ['has already been taken'], path: ['has already been taken'] } },
      ]);
    }
  });

  it('are never more visible than their source', async () => {
    const group = await buildGroup(api, { visibility: 'public' });
    const { body: source } = await api.root.post<{ id: number }>('/projects', {
      name: 'open source',
      namespace_id: group.id,
      visibility: 'public',
    });
    const forkOf = async (id: number, path: string): Promise<number> => {
      const made = await api.root.post<Fork>(`/projects/${id}/fork`, { path, name: path });
      expect(made.status).toBe(201);
      return made.body.id;
    };
    const fork = await forkOf(source.id, 'fork');
    const forkOfFork = await forkOf(fork, 'fork-of-fork');
    const change = async (id: number, visibility: string): Promise<number> =>
      (await api.root.put(`/projects/${id}`, { visibility })).status;
    const seen = async (): Promise<unknown[]> =>
      Promise.all(
        [source.id, fork, forkOfFork].map(
          async (id) => (await api.root.get<{ visibility: string }>(`/projects/${id}`)).body.visibility,
        ),
      );
    expect(await seen()).toEqual(['public', 'public', 'public']);
    expect(await change(source.id, 'internal')).toBe(200);
    expect(await seen()).toEqual(['internal', 'internal', 'internal']);
    const refused = await api.root.put(`/projects/${fork}`, { visibility: 'public' });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        message: {
          visibility_level: ['public is not allowed since the fork source project has lower visibility.'],
        },
      },
    ]);
    expect(await change(fork, 'private')).toBe(200);
    expect(await seen()).toEqual(['internal', 'private', 'private']);
    expect(await change(source.id, 'public')).toBe(200);
    expect(await seen()).toEqual(['public', 'private', 'private']);
    for (const id of [fork, forkOfFork]) expect(await change(id, 'public')).toBe(200);
    const outer = await buildGroup(api, { visibility: 'internal' });
    expect((await api.root.post(`/groups/${group.id}/transfer`, { group_id: outer.id })).status).toBe(201);
    expect(await seen()).toEqual(['internal', 'internal', 'internal']);
    const inner = await buildGroup(api);
    expect((await api.root.put(`/projects/${source.id}/transfer`, { namespace: inner.id })).status).toBe(200);
    expect(await seen()).toEqual(['private', 'private', 'private']);
    const audited = await api.sql(
      `select 1 from audit_events where entity_type = 'Project' and entity_id = $1 and details::text like '%visibility_level%'`,
      [forkOfFork],
    );
    expect(audited).not.toEqual([]);
  });

  it('show no more of their code than their source, as its other parts', async () => {
    const source = await buildCodeProject(api, undefined, { visibility: 'public' });
    const levels = { repository_access_level: 'private', wiki_access_level: 'disabled' };
    expect((await api.root.put(`/projects/${source.id}`, levels)).status).toBe(200);
    const stranger = await createUser(api);
    const treeOf = async (id: number): Promise<number> =>
      (await stranger.client.get(`/projects/${id}/repository/tree`)).status;
    expect(await treeOf(source.id)).toBe(403);
    const { body: fork } = await source.reporter.post<Fork>(`/projects/${source.id}/fork`, { path: 'copy' });
    const found = (): Promise<{ body: Fork }> => source.reporter.get<Fork>(`/projects/${fork.id}`);
    await until(async () => (await found()).body.import_status === 'finished');
    expect((await found()).body).toMatchObject({
      visibility: 'public',
      issues_access_level: 'enabled',
      ...levels,
    });
    expect((await source.reporter.get(`/projects/${fork.id}/repository/tree`)).status).toBe(200);
    expect(await treeOf(fork.id)).toBe(403);
  });

  it('are created where the caller may create projects, and require permission to read the code', async () => {
    const group = await buildGroup(api);
    expect((await code.reporter.post(at(), { namespace_id: group.id })).status).toBe(404);
    const made = await api.root.post(at(), { namespace_path: group.full_path, visibility: 'public' });
    expect([made.status, made.body]).toMatchObject([
      201,
      { path_with_namespace: expect.stringContaining(group.full_path), visibility: 'private' },
    ]);
    expect((await code.guest.post(at())).status).toBe(403);
    expect((await api.anonymous.post(at())).status).toBe(401);
    await api.root.put(`/projects/${code.id}`, { forking_access_level: 'disabled' });
    expect((await code.reporter.post(at(), { path: 'other' })).status).toBe(403);
  });
});
