import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';

type Body = Record<string, unknown>;

describe('projects', () => {
  let api: TestApi;
  let owner: CreatedUser;
  let stranger: CreatedUser;
  let group: { id: number; full_path: string };
  beforeAll(async () => {
    api = await startApi({ REPOSITORY_STORAGES: 'default=/tmp/forgeplane-a,second=/tmp/forgeplane-b' });
    await api.root.put('/application/settings', {
      repository_storages_weighted: { default: 0, second: 100 },
    });
    owner = await createUser(api);
    stranger = await createUser(api);
    group = (
      await owner.client.post<typeof group>('/groups', { name: 'Crew', path: 'crew', visibility: 'internal' })
    ).body;
  });
  afterAll(() => api.close());

  const messageOf = ({ body }: { body: Body }): unknown => body['message'];

  describe('GET /projects/:id', () => {
    it('accepts ids and encoded paths in any case', async () => {
      const project = await buildProject(owner.client, { visibility: 'public' });
      const path = encodeURIComponent(project.path_with_namespace.toUpperCase());
      expect((await owner.client.get(`/projects/${path}`)).body).toMatchObject({ id: project.id });
      expect((await owner.client.get(`/projects/${project.path}`)).status).toBe(404);
      expect((await owner.client.get('/projects/0')).body).toEqual({ message: '404 Project Not Found' });
      expect((await owner.client.get(`/projects/${project.id}`)).body).toMatchObject({
        forked_from_project: null,
      });
    });

    it('shows roles, the token to Maintainers, sizes to Reporters and the storage to administrators', async () => {
      const project = await buildProject(owner.client, { namespace_id: group.id });
      const member = await createUser(api);
      await api.sql(
        `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, $2, 10), ('Namespace', $3, $2, 20)`,
        [project.id, member.id, group.id],
      );
      await api.sql('insert into project_statistics (project_id, wiki_size) values ($1, 7)', [project.id]);
      const seen = (await member.client.get(`/projects/${project.id}?statistics=true`)).body;
      expect(seen['permissions']).toEqual({
        project_access: { access_level: 10, notification_level: 3 },
        group_access: { access_level: 20, notification_level: 3 },
      });
      expect(seen['statistics']).toMatchObject({ wiki_size: 7, storage_size: 7, commit_count: 0 });
      expect(seen).not.toHaveProperty('runners_token');
      const first = (await owner.client.get(`/projects/${project.id}`)).body;
      const again = (await api.root.get(`/projects/${project.id}`)).body;
      expect(first['runners_token']).toBe(again['runners_token']);
      expect(again['repository_storage']).toBeDefined();
      expect(first).not.toHaveProperty('statistics');
    });

    it('shows no role for minimal access to a group, which gives none to its projects', async () => {
      const open = await buildGroup(api, { visibility: 'public' }, owner.client);
      const project = await buildProject(owner.client, { namespace_id: open.id, visibility: 'public' });
      const member = await createUser(api);
      await buildMember(api, `groups/${open.id}`, member.id, 5);
      const shown = async (path: string): Promise<unknown> =>
        (await member.client.get<Body>(path)).body['permissions'];
      expect(await shown(`/projects/${project.id}`)).toEqual({ project_access: null, group_access: null });
      const { body: own } = await member.client.get<Body[]>('/projects?membership=true');
      expect(own).toEqual([]);
      const { body: listed } = await member.client.get<Body[]>(`/projects?search=${project.path}`);
      expect(listed.map((one) => one['permissions'])).toEqual([{ project_access: null, group_access: null }]);
    });

    it('omits premium fields on the free plan', async () => {
      const project = await buildProject(owner.client);
      await api.root.put('/application/settings', { license_plan: 'free' });
      const { body } = await owner.client.get(`/projects/${project.id}`);
      expect(body).not.toHaveProperty('approvals_before_merge');
      expect(body).not.toHaveProperty('marked_for_deletion_at');
      expect(body).toHaveProperty('merge_method');
      const ignored = await owner.client.put(`/projects/${project.id}`, { approvals_before_merge: 3 });
      expect(ignored.status).toBe(200);
      await api.root.put('/application/settings', { license_plan: 'ultimate' });
      expect((await owner.client.get(`/projects/${project.id}`)).body['approvals_before_merge']).toBe(0);
    });

    it('returns the simple record of public projects to anonymous callers', async () => {
      const project = await buildProject(owner.client, { visibility: 'public' });
      const { status, body } = await api.anonymous.get(`/projects/${project.id}`);
      expect(status).toBe(200);
      expect(Object.keys(body)).toHaveLength(19);
      expect(body).not.toHaveProperty('visibility');
    });
  });

  describe('PUT /projects/:id', () => {
    let project: BuiltProject;
    let maintainer: CreatedUser;
    beforeAll(async () => {
      project = await buildProject(owner.client, { namespace_id: group.id });
      maintainer = await createUser(api);
      await api.sql(
        `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, $2, 40)`,
        [project.id, maintainer.id],
      );
    });

    it('changes what Maintainers may change', async () => {
      const answer = await maintainer.client.put(`/projects/${project.id}`, {
        description: 'new',
        tag_list: ['x'],
        builds_access_level: 'private',
        ci_config_path: '',
        squash_option: 'always',
        name: project.name,
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        description: 'new',
        topics: ['x'],
        builds_access_level: 'private',
        jobs_enabled: true,
        ci_config_path: null,
        squash_option: 'always',
      });
      const none = await maintainer.client.put(`/projects/${project.id}`, { unknown: 1 });
      expect([none.status, messageOf(none)]).toEqual([400, '400 (Bad request) "name" not given']);
      // Parameters are validated before the project is looked up.
      expect((await stranger.client.put(`/projects/${project.id}`, {})).status).toBe(400);
      expect((await stranger.client.put(`/projects/${project.id}`, { description: 'x' })).status).toBe(404);
    });

    it('limits names and visibility to owners', async () => {
      for (const values of [{ name: 'Else' }, { path: 'else' }, { visibility: 'internal' }]) {
        expect((await maintainer.client.put(`/projects/${project.id}`, values)).status).toBe(403);
      }
      const taken = await buildProject(owner.client, { namespace_id: group.id });
      const refused = await owner.client.put(`/projects/${project.id}`, { path: taken.path });
      expect([refused.status, messageOf(refused)]).toEqual([400, { path: ['has already been taken'] }]);
      const wide = await owner.client.put(`/projects/${project.id}`, { visibility: 'public' });
      expect(wide.status).toBe(400);
    });

    it('redirects from the former path if the feature flag is on', async () => {
      const moved = await buildProject(owner.client, { namespace_id: group.id, path: 'before' });
      const answer = await owner.client.put(`/projects/${moved.id}`, { path: 'after', name: 'After' });
      expect(answer.body).toMatchObject({
        path_with_namespace: 'crew/after',
        name_with_namespace: 'Crew / After',
      });
      expect((await owner.client.get('/projects/crew%2Fbefore')).body).toMatchObject({ id: moved.id });
      await api.root.post('/features/api_redirect_moved_projects', { value: true });
      const redirect = await owner.client.get('/projects/crew%2Fbefore?statistics=true');
      expect(redirect.status).toBe(301);
      expect(redirect.headers.get('location')).toBe(
        `http://forgeplane.test/api/v4/projects/${moved.id}?statistics=true`,
      );
      expect((await owner.client.post('/projects/crew%2Fbefore/star')).status).toBe(405);
      expect((await api.anonymous.get('/projects/crew%2Fbefore')).status).toBe(404);
      await api.root.delete('/features/api_redirect_moved_projects');
      const successor = await buildProject(owner.client, { namespace_id: group.id, path: 'before' });
      expect((await owner.client.get('/projects/crew%2Fbefore')).body).toMatchObject({ id: successor.id });
    });

    it('audits names, visibility and storage', async () => {
      const audited = await buildProject(owner.client);
      await owner.client.put(`/projects/${audited.id}`, { name: 'New name', visibility: 'internal' });
      await api.root.put(`/projects/${audited.id}`, { repository_storage: 'default' });
      const events = await api.sql<{ details: Body }>(
        `select details from audit_events where entity_type = 'Project' and entity_id = $1 order by id`,
        [audited.id],
      );
      expect(events.map(({ details }) => [details['change'], details['from'], details['to']])).toEqual([
        ['name', audited.name, 'New name'],
        ['visibility_level', 'private', 'internal'],
        ['repository_storage', 'second', 'default'],
      ]);
    });
  });
});
