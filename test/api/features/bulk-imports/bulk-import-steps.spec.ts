import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { CreateBulkImport } from '#features/bulk-imports/api/creation/create-bulk-import.use-case.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { FakeSource } from '../../../support/fake-source.js';
import { scriptHostileGroup } from '../../../support/hostile-group.js';
import { migrateHere, type MigratedHere } from '../../../support/bulk-imports/migrate-here.js';
import { until } from '../../../support/until.js';

interface Shown {
  readonly id: number;
  readonly [name: string]: unknown;
}

describe('groups and projects that are migrated', () => {
  let api: TestApi;
  let importer: { id: number; client: ApiClient };
  let owner: { id: number };
  let importerName: string;
  let ownerName: string;
  let code: CodeProject;
  let top: Shown;

  const make = async (path: string, body: object): Promise<Shown> => {
    const { status, body: made } = await api.root.post<Shown>(path, body);
    expect([status, made]).toMatchObject([201, { id: expect.any(Number) }]);
    return made;
  };
  const migrate = (
    client: ApiClient,
    entity: Readonly<Record<string, unknown>>,
    url = api.url,
  ): Promise<MigratedHere> => migrateHere(api, client, entity, url);

  beforeAll(async () => {
    api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
    await api.root.put('/application/settings', { bulk_import_rate_limit: 0 });
    const [one, other] = [await createUser(api), await createUser(api)];
    [importer, importerName] = [one, one.username];
    [owner, ownerName] = [other, other.username];
    const guest = await createUser(api);
    top = await make('/groups', {
      name: 'Top group',
      path: 'top',
      visibility: 'internal',
      description: 'All of it',
      project_creation_level: 'maintainer',
      request_access_enabled: false,
    });
    const sub = await make('/groups', {
      name: 'Sub',
      path: 'sub',
      parent_id: top.id,
      visibility: 'internal',
    });
    code = await buildCodeProject(
      api,
      async (work) => {
        await work.git('tag', '-a', 'v1', '-m', 'One');
        await work.git('branch', 'feature/x');
      },
      {
        namespace_id: sub.id,
        name: 'The code',
        path: 'code',
        visibility: 'internal',
        merge_method: 'ff',
        topics: ['a', 'b'],
        wiki_access_level: 'enabled',
        only_allow_merge_if_pipeline_succeeds: true,
      },
    );
    await make('/projects', {
      namespace_id: top.id,
      name: 'Empty one',
      path: 'empty',
      visibility: 'private',
    });
    await api.root.post(`/projects/${code.id}/wikis`, { title: 'Home', content: '# Hello' });
    await buildMember(api, `groups/${top.id}`, owner.id, Role.Owner);
    await api.root.post(`/groups/${top.id}/members`, {
      user_id: guest.id,
      access_level: 10,
      expires_at: '2099-01-01',
    });
    // The importer is not an administrator: users are matched by their public address.
    await api.sql(`update users set public_email = email where user_type = 'human'`);
  });
  afterAll(() => api.close());

  it('have their tree, settings, members, code and wikis', async () => {
    const { entities, failures, relations } = await migrate(importer.client, {
      source_full_path: 'top',
      destination_slug: 'copy',
    });
    expect(failures).toEqual([]);
    expect(relations).toEqual([]);
    expect(entities).toHaveLength(4);
    const group = await importer.client.get<Shown>('/groups/copy');
    expect(group.body).toMatchObject({
      name: expect.stringContaining('Top group'),
      visibility: 'internal',
      description: 'All of it',
      project_creation_level: 'maintainer',
      request_access_enabled: false,
    });
    const members = await importer.client.get<Shown[]>('/groups/copy/members');
    expect(members.body.map(({ access_level, expires_at }) => [access_level, expires_at]).sort()).toEqual([
      [10, '2099-01-01'],
      [50, null],
      [50, null],
      // Root, who created the group.
      [50, null],
    ]);
    expect(members.body.map(({ id }) => id)).toEqual(expect.arrayContaining([importer.id, owner.id]));
    const audited = await importer.client.get<{ details: Shown }[]>('/groups/copy/audit_events?per_page=100');
    const joined = {
      add: 'user_access',
      target_id: owner.id,
      target_details: expect.stringMatching(/^User \d+$/),
    };
    expect(audited.body.map(({ details }) => details)).toContainEqual(expect.objectContaining(joined));
    const project = await importer.client.get<Shown>('/projects/copy%2Fsub%2Fcode');
    const source = await api.root.get<Shown>(`/projects/${code.id}`);
    for (const name of ['name', 'visibility', 'merge_method', 'topics', 'default_branch', 'created_at'])
      expect([name, project.body[name]]).toEqual([name, source.body[name]]);
    expect(project.body).toMatchObject({ empty_repo: false, only_allow_merge_if_pipeline_succeeds: true });
    const path = `/projects/${project.body.id}`;
    const branches = await importer.client.get<Shown[]>(`${path}/repository/branches`);
    expect(branches.body.map(({ name }) => name)).toEqual(['feature/x', 'main']);
    expect((await importer.client.get<Shown[]>(`${path}/repository/tags`)).body).toHaveLength(1);
    expect((await importer.client.get<Shown[]>(`${path}/repository/commits`)).body).toHaveLength(2);
    expect((await importer.client.get<Shown[]>(`${path}/wikis`)).body).toMatchObject([{ slug: 'Home' }]);
    expect((await importer.client.get<Shown[]>(`${path}/members`)).body).toHaveLength(4);
    expect((await importer.client.get<Shown>('/projects/copy%2Fempty')).body).toMatchObject({
      empty_repo: true,
    });
    const told = await api.sql(`select 1 from events where project_id = $1`, [project.body.id]);
    expect(told).toEqual([]);
  });

  it('grant no more than the importing user has, and are archived if the source is', async () => {
    const group = await make('/groups', { name: 'Small', path: 'small', visibility: 'private' });
    await buildMember(api, `groups/${group.id}`, importer.id, Role.Maintainer);
    await api.root.post(`/projects/${code.id}/archive`);
    await api.root.post(`/projects/${code.id}/members`, { user_id: owner.id, access_level: 50 });
    const { failures } = await migrate(importer.client, {
      source_type: 'project_entity',
      source_full_path: 'top/sub/code',
      destination_namespace: 'small',
      destination_slug: 'code',
    });
    expect(failures).toEqual([]);
    const { body } = await importer.client.get<Shown>('/projects/small%2Fcode');
    expect(body).toMatchObject({ archived: true, visibility: 'private' });
    const members = await importer.client.get<Shown[]>(`/projects/${body.id}/members`);
    expect(Math.max(...members.body.map(({ access_level }) => Number(access_level)))).toBe(40);
    await api.root.post(`/projects/${code.id}/unarchive`);
  });

  it('omit members and projects on request', async () => {
    const { entities } = await migrate(importer.client, {
      source_full_path: 'top',
      destination_slug: 'bare',
      migrate_projects: false,
      migrate_memberships: false,
    });
    expect(entities.map(({ source_full_path: path }) => path).sort()).toEqual(['top', 'top/sub']);
    expect((await importer.client.get<Shown[]>('/groups/bare/members')).body).toMatchObject([
      { id: importer.id },
    ]);
  });

  it('have no members of their own if a parent group locks membership', async () => {
    const locked = await make('/groups', { name: 'Locked', path: 'locked' });
    await api.root.put(`/groups/${locked.id}`, { membership_lock: true });
    await buildMember(api, `groups/${locked.id}`, importer.id, Role.Maintainer);
    const { failures } = await migrate(importer.client, {
      source_type: 'project_entity',
      source_full_path: 'top/sub/code',
      destination_slug: 'code',
      destination_namespace: 'locked',
    });
    expect(failures).toEqual([
      {
        relation: 'members',
        exception_class: 'DestinationRefused',
        exception_message: 'A parent group locks project membership',
      },
    ]);
    const direct = await importer.client.get<Shown[]>('/projects/locked%2Fcode/members');
    expect(direct.body).toEqual([]);
  });

  it('apply only those settings of the source that the importing user may change', async () => {
    const source = await FakeSource.start();
    await api.root.put('/application/settings', { restricted_visibility_levels: ['public'] });
    scriptHostileGroup(source, importerName, ownerName);
    try {
      const { entities, relations } = await migrate(
        importer.client,
        { source_full_path: 'evil', destination_slug: 'evil' },
        source.url,
      );
      expect([entities.length, relations]).toEqual([1, []]);
      const group = await importer.client.get<Shown>('/groups/evil');
      expect(group.body).toMatchObject({
        name: 'evil',
        visibility: 'internal',
        project_creation_level: 'developer',
        subgroup_creation_level: 'owner',
      });
      expect((await importer.client.get<Shown[]>('/groups/evil/members')).body).toMatchObject([
        { id: importer.id, access_level: 50 },
      ]);
      expect(source.seen.every(({ query }) => !query.has('private_token'))).toBe(true);
    } finally {
      await source.stop();
    }
  });

  it('import branches and tags with allowed names, and report the others', async () => {
    const odd = await make('/groups', { name: 'Odd', path: 'odd' });
    await buildCodeProject(
      api,
      async (work) => {
        await work.git('update-ref', `refs/heads/${'a'.repeat(40)}`, 'HEAD');
        await work.git('update-ref', 'refs/tags/HEAD', 'HEAD');
        await work.git('branch', '-m', 'main', 'trunk');
        await work.git('branch', 'main', 'trunk~1');
      },
      { namespace_id: odd.id, path: 'names', name: 'names' },
    );
    const { failures } = await migrate(importer.client, {
      source_full_path: 'odd',
      destination_slug: 'odd-copy',
    });
    expect(failures).toEqual(
      Array.from({ length: 2 }, () => ({
        relation: 'repository',
        exception_class: 'SourceRefused',
        exception_message: 'A branch or tag cannot have this name',
      })),
    );
    const path = '/projects/odd-copy%2Fnames/repository';
    const branches = await importer.client.get<Shown[]>(`${path}/branches`);
    expect(branches.body.map(({ name }) => name)).toEqual(['main', 'trunk']);
    expect((await importer.client.get<Shown[]>(`${path}/tags`)).body).toEqual([]);
    expect((await importer.client.get<Shown[]>(`${path}/commits`)).body).toHaveLength(1);
  });

  it('fail with a reason if their path was taken meanwhile, or the right to create them was lost', async () => {
    // As if it had changed after the checks of the request.
    const creation = api.app.get(CreateBulkImport, { strict: false });
    const wanted = {
      of: 'group',
      sourceFullPath: 'top',
      migrateProjects: true,
      migrateMemberships: true,
    } as const;
    const actor = {
      ...importer,
      username: '',
      name: '',
      state: 'active',
      admin: false,
      external: false,
      userType: 'human',
    };
    const id = await creation.run(actor, { url: api.url, token: ROOT_TOKEN, version: '16.5.0' }, [
      { ...wanted, namespace: '', slug: 'top' },
      { ...wanted, namespace: 'top', slug: 'x' },
    ]);
    await until(
      async () => (await importer.client.get<Shown>(`/bulk_imports/${id}`)).body['status'] === 'failed',
      60_000,
    );
    const failures = await api.sql(
      `select f.exception_class, f.exception_message from bulk_import_failures f
       join bulk_import_entities e on e.id = f.entity_id where e.bulk_import_id = $1 order by e.id`,
      [id],
    );
    expect(failures).toEqual([
      { exception_class: 'DestinationRefused', exception_message: "'top' already exists" },
      {
        exception_class: 'DestinationRefused',
        exception_message: "Destination 'top' is invalid, or you don't have permission.",
      },
    ]);
  });
});
