import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildDeployment } from '../../../support/builders/deployment.js';
import { buildEnvironment, type BuiltEnvironment } from '../../../support/builders/environment.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

describe('environments', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix = ''): string => `/projects/${team.projectId}/environments${suffix}`;

  beforeAll(async () => {
    api = await borrowApi();
  });
  beforeAll(async () => {
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  describe('creating', () => {
    it('returns the environment with its project', async () => {
      const answer = await team.developer.post(at(), {
        name: 'review/Fix Foo',
        external_url: 'https://fix.example.com',
      });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        name: 'review/Fix Foo',
        slug: expect.stringMatching(/^review-fix-foo-[a-z0-9]{6}$/) as unknown,
        external_url: 'https://fix.example.com',
        tier: 'development',
        state: 'available',
        auto_stop_at: null,
        project: { id: team.projectId, path_with_namespace: team.path },
      });
      expect(answer.body).not.toHaveProperty('last_deployment');
    });

    it('accepts a tier, and treats a blank external_url as missing', async () => {
      const answer = await team.developer.post(at(), { name: 'plain', tier: 'staging', external_url: '' });
      expect(answer.body).toMatchObject({ slug: 'plain', tier: 'staging', external_url: null });
    });

    it('requires a name', async () => {
      const answer = await team.developer.post(at(), { tier: 'other' });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message: '400 (Bad request) "name" not given' });
    });

    it.each([
      [{ name: '/x' }, { name: [expect.stringContaining('can contain only letters')] }],
      [{ name: 'a'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
      [{ name: 'n', slug: 's' }, { slug: ['is automatically generated and cannot be changed'] }],
      [{ name: 'n', tier: 'gold' }, { tier: ['does not have a valid value'] }],
      [
        { name: 'n', external_url: 'javascript:alert(1)' },
        { external_url: ['javascript scheme is not allowed'] },
      ],
    ])('refuses %j', async (body, message) => {
      const answer = await team.developer.post(at(), body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message });
    });

    it('refuses an existing name, also in parallel', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => team.developer.post(at(), { name: 'once' })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 400);
      expect(refused).toHaveLength(9);
      expect(refused[0]?.body).toEqual({ message: { name: ['has already been taken'] } });
    });

    it('appends a suffix to a slug that exists', async () => {
      const first = await buildEnvironment(team.developer, team.projectId, { name: 'Twin' });
      const second = await buildEnvironment(team.developer, team.projectId, { name: first.slug });
      expect(second.slug).not.toBe(first.slug);
      expect(second.slug).toMatch(/^twin-[a-z0-9-]+$/);
    });
  });

  describe('roles', () => {
    it('let Reporters read and Developers write', async () => {
      const { id } = await buildEnvironment(team.developer, team.projectId, { name: 'roles' });
      const codes = async (client: ProjectTeam['guest']): Promise<number[]> => [
        (await client.get(at())).status,
        (await client.get(at(`/${id}`))).status,
        (await client.post(at(), {})).status,
        (await client.put(at(`/${id}`), {})).status,
        (await client.post(at(`/${id}/stop`))).status,
        (await client.post(at('/stop_stale'), { before: daysAgo(8) })).status,
        (await client.delete(at('/review_apps'))).status,
      ];
      expect(await codes(team.guest)).toEqual([403, 403, 400, 403, 403, 403, 403]);
      expect(await codes(team.reporter)).toEqual([200, 200, 400, 403, 403, 403, 403]);
      expect(await codes(team.developer)).toEqual([200, 200, 400, 200, 200, 403, 200]);
      expect(await codes(team.maintainer)).toEqual([200, 200, 400, 200, 200, 200, 200]);
      expect(await codes(team.stranger)).toEqual([404, 404, 400, 404, 404, 404, 404]);
      expect(await codes(api.anonymous)).toEqual([401, 401, 401, 401, 401, 401, 401]);
    });

    it('let all signed-in users see those of a public project', async () => {
      const open = await buildProjectTeam(api, 'public');
      const path = `/projects/${open.projectId}/environments`;
      expect((await open.stranger.get(path)).status).toBe(200);
      expect((await open.stranger.post(path, { name: 'x' })).status).toBe(403);
      expect((await api.anonymous.get(path)).status).toBe(401);
    });

    it('do not give access to environments of another project', async () => {
      const other = await buildProjectTeam(api);
      const { id } = await buildEnvironment(other.developer, other.projectId, { name: 'foreign' });
      for (const answer of [
        await team.maintainer.get(at(`/${id}`)),
        await team.maintainer.get(at('/0')),
        await team.maintainer.put(at(`/${id}`), { tier: 'other' }),
        await team.maintainer.post(at(`/${id}/stop`)),
        await team.maintainer.delete(at(`/${id}`)),
      ]) {
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({ message: '404 Environment Not Found' });
      }
    });

    it('do not matter if the project has disabled environments', async () => {
      const off = await buildProjectTeam(api);
      await api.sql(
        `update projects set settings = '{"environments_access_level":"disabled"}' where id = $1`,
        [off.projectId],
      );
      expect((await off.maintainer.get(`/projects/${off.projectId}/environments`)).status).toBe(403);
    });
  });

  describe('listing', () => {
    let own: ProjectTeam;
    const names = async (query: string): Promise<string[]> => {
      const answer = await own.reporter.get<BuiltEnvironment[]>(
        `/projects/${own.projectId}/environments${query}`,
      );
      expect(answer.status).toBe(200);
      return answer.body.map(({ name }) => name);
    };

    beforeAll(async () => {
      own = await buildProjectTeam(api);
      for (const name of ['production', 'Review/one', 'review/two', 'review', 'rev$ew']) {
        await buildEnvironment(own.developer, own.projectId, { name });
      }
      const { id } = await buildEnvironment(own.developer, own.projectId, { name: 'gone' });
      await own.developer.post(`/projects/${own.projectId}/environments/${id}/stop`);
    });

    it('returns all environments by id', async () => {
      expect(await names('')).toEqual(['production', 'Review/one', 'review/two', 'review', 'rev$ew', 'gone']);
    });

    it('filters by name, search and state', async () => {
      expect(await names('?name=review')).toEqual(['review']);
      expect(await names('?name=unknown')).toEqual([]);
      expect(await names('?search=REVIEW/')).toEqual(['Review/one', 'review/two']);
      expect(await names('?search=rev%25')).toEqual([]);
      expect(await names('?search=iew')).toEqual([]);
      expect(await names('?states=stopped')).toEqual(['gone']);
      expect(await names('?states=stopping')).toEqual([]);
    });

    it.each([
      ['?search=re', { search: ['Search query is less than 3 characters'] }],
      ['?states=bogus', { states: ['does not have a valid value'] }],
      ['?name=a&search=abc', { name: ['cannot be used together with search'] }],
      ['?per_page[]=1', { per_page: ['is invalid'] }],
    ])('refuses %s', async (query, message) => {
      const answer = await own.reporter.get(`/projects/${own.projectId}/environments${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message });
    });

    it('paginates by offset and by keyset', async () => {
      const path = `/projects/${own.projectId}/environments`;
      const page = await own.reporter.get<BuiltEnvironment[]>(`${path}?per_page=4&page=2`);
      expect(page.body.map(({ name }) => name)).toEqual(['rev$ew', 'gone']);
      expect(page.headers.get('x-total')).toBe('6');
      const keyset = `${path}?pagination=keyset&order_by=id&sort=desc&per_page=2`;
      const first = await own.reporter.get<BuiltEnvironment[]>(keyset);
      expect(first.body.map(({ name }) => name)).toEqual(['gone', 'rev$ew']);
      const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      const second = await own.reporter.get<BuiltEnvironment[]>(next.replace('http://forgeplane.test', ''));
      expect(second.body.map(({ name }) => name)).toEqual(['review', 'review/two']);
    });
  });

  describe('a single environment', () => {
    it('shows its last deployment, without repeating the environment', async () => {
      const { id } = await buildEnvironment(team.developer, team.projectId, { name: 'shown' });
      const empty = await team.reporter.get(at(`/${id}`));
      expect(empty.body).toMatchObject({ id, name: 'shown', last_deployment: null });
      expect(empty.body).not.toHaveProperty('project');
      const first = await buildDeployment(team.developer, team.projectId, { environment: 'shown' });
      const second = await buildDeployment(team.developer, team.projectId, { environment: 'shown' });
      await buildDeployment(team.developer, team.projectId, { environment: 'shown', status: 'failed' });
      const shown = await team.reporter.get(at(`/${id}`));
      expect(shown.body['last_deployment']).toMatchObject({ id: second.id, status: 'success' });
      expect(shown.body['last_deployment']).not.toHaveProperty('environment');
      // Finishing again makes the older one the last.
      const path = `/projects/${team.projectId}/deployments/${first.id}`;
      await team.developer.put(path, { status: 'failed' });
      await team.developer.put(path, { status: 'success' });
      const again = await team.reporter.get(at(`/${id}`));
      expect(again.body['last_deployment']).toMatchObject({ id: first.id });
    });

    it('accepts another external_url and tier, keeps its name, and refuses a slug', async () => {
      const { id } = await buildEnvironment(team.developer, team.projectId, { name: 'changing' });
      const path = at(`/${id}`);
      const answer = await team.developer.put(path, {
        name: 'other name',
        external_url: 'https://b.example',
        tier: 'testing',
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        name: 'changing',
        external_url: 'https://b.example',
        tier: 'testing',
      });
      expect((await team.developer.put(path, { tier: 'other' })).body).toMatchObject({
        external_url: 'https://b.example',
        tier: 'other',
      });
      expect((await team.developer.put(path, { external_url: null })).body['external_url']).toBeNull();
      const slug = await team.developer.put(path, { slug: 'x' });
      expect(slug.status).toBe(400);
      expect(slug.body).toEqual({ message: { slug: ['is automatically generated and cannot be changed'] } });
      expect((await team.developer.put(path, { external_url: 'data:x' })).status).toBe(400);
    });

    it('can be stopped, and then removed with its deployments', async () => {
      const { id } = await buildEnvironment(team.developer, team.projectId, { name: 'stopping' });
      await buildDeployment(team.developer, team.projectId, { environment: 'stopping' });
      const refused = await team.developer.delete(at(`/${id}`));
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({ message: '403 Forbidden' });
      const stopped = await team.developer.post(at(`/${id}/stop`), { force: true });
      expect(stopped.status).toBe(200);
      expect(stopped.body['state']).toBe('stopped');
      expect((await team.developer.post(at(`/${id}/stop`))).status).toBe(200);
      expect((await team.reporter.delete(at(`/${id}`))).status).toBe(403);
      const stale = { 'If-Unmodified-Since': new Date(0).toUTCString() };
      expect((await team.developer.delete(at(`/${id}`), stale)).status).toBe(412);
      const removed = await team.developer.delete(at(`/${id}`));
      expect(removed.status).toBe(204);
      expect(removed.text).toBe('');
      expect((await team.developer.get(at(`/${id}`))).status).toBe(404);
      const [counted] = await api.sql<{ live_count: number; rows: number }>(
        `select live_count, (select count(*)::int from deployments d where d.project_id = i.project_id) as rows
         from internal_ids i where project_id = $1 and usage = 'deployments'`,
        [team.projectId],
      );
      expect(counted?.live_count).toBe(counted?.rows);
    });

    it('is available again after the next successful deployment', async () => {
      const { id } = await buildEnvironment(team.developer, team.projectId, { name: 'again' });
      await team.developer.post(at(`/${id}/stop`));
      const deployment = await buildDeployment(team.developer, team.projectId, {
        environment: 'again',
        status: 'running',
      });
      expect((await team.developer.get(at(`/${id}`))).body['state']).toBe('stopped');
      await team.developer.put(`/projects/${team.projectId}/deployments/${deployment.id}`, {
        status: 'success',
      });
      expect((await team.developer.get(at(`/${id}`))).body['state']).toBe('available');
    });
  });
});
