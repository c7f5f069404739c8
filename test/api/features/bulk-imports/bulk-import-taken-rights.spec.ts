import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { scriptProject, serveFiles } from '../../../support/bulk-imports/script-project.js';
import { FakeSource } from '../../../support/fake-source.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { until } from '../../../support/until.js';

type Shown = Readonly<Record<string, unknown>> & { readonly id: number };

// An importing user controls the source, when it answers, and when a migration is resumed.
describe('an importing user of a project', () => {
  let api: TestApi;
  let source: FakeSource;
  let work: WorkingCopy;
  let importer: CreatedUser;
  let group: { readonly id: number; readonly full_path: string };

  beforeAll(async () => {
    api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
    await api.root.put('/application/settings', { bulk_import_rate_limit: 0 });
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    source = await FakeSource.start();
    work = await new WorkingCopy().init();
    importer = await createUser(api);
    group = await buildGroup(api);
    await buildMember(api, `groups/${group.id}`, importer.id, Role.Maintainer);
  });
  afterEach(async () => {
    await source.stop();
    work.remove();
  });

  const leave = (): Promise<unknown> => api.root.delete(`/groups/${group.id}/members/${importer.id}`);
  const ended = async (id: number): Promise<void> => {
    const statusOf = `select status from bulk_imports where id = ${id}`;
    await until(async () => /finished|failed/.test(String((await api.sql<Shown>(statusOf))[0]?.['status'])));
  };
  const migrate = async (): Promise<number> => {
    const { status, body } = await importer.client.post<Shown>('/bulk_imports', {
      configuration: { url: source.url, access_token: 'glpat-12345678901234567890' },
      entities: [
        {
          source_type: 'project_entity',
          source_full_path: 'old/app',
          destination_slug: 'app',
          destination_namespace: group.full_path,
        },
      ],
    });
    expect([status, body]).toMatchObject([201, {}]);
    await ended(body.id);
    return body.id;
  };
  const resume = async (id: number): Promise<void> => {
    const { body } = await importer.client.get<Shown[]>(`/bulk_imports/${id}/entities`);
    const path = `/bulk_imports/${id}/entities/${body[0]?.id ?? 0}/resume`;
    expect((await importer.client.post(path)).status).toBe(200);
    await ended(id);
  };
  const project = async (): Promise<Shown> =>
    (await api.root.get<Shown>(`/projects/${encodeURIComponent(`${group.full_path}/app`)}`)).body;
  const branches = async (id: number): Promise<Readonly<Record<string, unknown>>> => {
    const { body } = await api.root.get<{ name: string; commit: { title: string } }[]>(
      `/projects/${id}/repository/branches`,
    );
    return Object.fromEntries(body.map(({ name, commit }) => [name, commit.title]));
  };
  const failures = (id: number): Promise<Shown[]> =>
    api.sql<Shown>(
      `select f.relation, f.exception_class, f.source_title from bulk_import_failures f
       join bulk_import_entities e on e.id = f.entity_id where e.bulk_import_id = $1 order by f.id`,
      [id],
    );

  it('changes no branch and no protection that others have made since, by resuming', async () => {
    const level = { push_access_levels: [{ access_level: 30 }], merge_access_levels: [{ access_level: 30 }] };
    scriptProject(source, {}, { protected_branches: `${JSON.stringify({ name: 'main', ...level })}\n` });
    source.on('GET /old/app.git/info/refs', { status: 403 });
    const id = await migrate();
    const { id: projectId } = await project();
    await work.commit({ a: '1' }, 'One');
    await seedRepository(api, projectRepository(projectId), work);
    const protections = `/projects/${projectId}/protected_branches`;
    await api.root.delete(`${protections}/main`);
    const made = await api.root.post(protections, {
      name: 'main',
      push_access_level: 60,
      merge_access_level: 60,
      unprotect_access_level: 60,
    });
    expect(made.status).toBe(201);
    const before = (await api.root.get(`${protections}/main`)).body;
    await work.git('branch', 'new');
    await work.commit({ a: '2' }, 'Two');
    await serveFiles(source, 'old/app', work);
    await resume(id);
    expect(await branches(projectId)).toEqual({ main: 'One', new: 'One' });
    expect((await api.root.get(`${protections}/main`)).body).toEqual(before);
    expect(await failures(id)).toEqual(
      expect.arrayContaining([
        { relation: 'repository', exception_class: 'DestinationRefused', source_title: 'refs/heads/main' },
        { relation: 'protected_branches', exception_class: 'PartlyImported', source_title: 'main' },
      ]),
    );
  });

  it('brings no code once the right is lost, however long the source takes', async () => {
    scriptProject(source);
    await work.commit({ a: '1' }, 'One');
    await serveFiles(source, 'old/app', work, leave);
    const id = await migrate();
    const { id: projectId } = await project();
    expect(await branches(projectId)).toEqual({});
    expect(await failures(id)).toEqual([
      { relation: 'repository', exception_class: 'RightLost', source_title: null },
    ]);
  });

  it('changes no setting once the right is lost', async () => {
    const wanted = { only_allow_merge_if_pipeline_succeeds: true };
    scriptProject(source, wanted);
    let calls = 0;
    source.on('GET /api/v4/projects/7', async () => {
      calls += 1;
      if (calls > 1) await leave();
      return { body: { id: 7, name: 'App', visibility: 'private', archived: true, ...wanted } };
    });
    await migrate();
    expect(await project()).toMatchObject({ only_allow_merge_if_pipeline_succeeds: false, archived: false });
  });
});
