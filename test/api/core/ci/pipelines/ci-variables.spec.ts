import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import type { ApiClient } from '../../../../support/client.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildProject } from '../../../../support/builders/project.js';
import { buildProjectTeam, type ProjectTeam } from '../../../../support/builders/project-team.js';
import { createUser } from '../../../../support/builders/user.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface AuditBody {
  readonly author_id: number;
  readonly details: { readonly custom_message?: string; readonly target_details?: string };
}

describe('CI variables', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix = ''): string => `/projects/${team.projectId}/variables${suffix}`;

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  describe('of projects', () => {
    it('are set, shown, changed and removed', async () => {
      const made = await team.maintainer.post(at(), { key: 'ONE', value: 'first value' });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        variable_type: 'env_var',
        key: 'ONE',
        value: 'first value',
        protected: false,
        masked: false,
        raw: false,
        environment_scope: '*',
        description: null,
      });
      const changed = await team.maintainer.put(at('/ONE'), {
        value: '',
        variable_type: 'file',
        protected: true,
        raw: true,
        environment_scope: 'review/*',
        description: 'What it is for',
      });
      expect(changed.status).toBe(200);
      expect(changed.body).toMatchObject({
        ...{ key: 'ONE', value: '', variable_type: 'file', protected: true, raw: true },
        ...{ environment_scope: 'review/*', description: 'What it is for' },
      });
      expect((await team.maintainer.get(at('/ONE'))).body).toEqual(changed.body);
      expect((await team.maintainer.get(at())).body).toEqual([changed.body]);
      expect((await team.maintainer.delete(at('/ONE'))).status).toBe(204);
      for (const answer of [
        await team.maintainer.get(at('/ONE')),
        await team.maintainer.put(at('/ONE'), { value: 'x' }),
        await team.maintainer.delete(at('/ONE')),
      ]) {
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({ message: '404 Variable Not Found' });
      }
    });

    it.each([
      [{ value: 'x' }, '400 (Bad request) "key" not given'],
      [{ key: 'A' }, '400 (Bad request) "value" not given'],
      [{ key: 'A-B', value: 'x' }, { key: ["can contain only letters, digits and '_'."] }],
      [{ key: 'A\n', value: 'x' }, { key: ["can contain only letters, digits and '_'."] }],
      [{ key: ['A'], value: 'x' }, { key: ['is invalid'] }],
      [{ key: 'A', value: 'a\0b' }, { value: ['is invalid'] }],
      [{ key: 'A', value: { a: 1 } }, { value: ['is invalid'] }],
      [{ key: 'A', value: 'short', masked: true }, { value: ['is invalid'] }],
      [{ key: 'A', value: 'two words here', masked: true }, { value: ['is invalid'] }],
      [{ key: 'A', value: 'first_line\nsecond_line', masked: true }, { value: ['is invalid'] }],
      [{ key: 'A', value: 'with$dollar', masked: true }, { value: ['is invalid'] }],
      [{ key: 'A', value: 'with blank', masked: true, raw: true }, { value: ['is invalid'] }],
      [{ key: 'A', value: 'x', variable_type: 'secret' }, { variable_type: ['does not have a valid value'] }],
      [
        { key: 'A', value: 'x', environment_scope: 'a;b' },
        { environment_scope: [expect.stringContaining('can contain only letters')] },
      ],
      [{ key: 'A', value: 'x', environment_scope: '' }, { environment_scope: ['is empty'] }],
    ])('refuse %j', async (body, message) => {
      const answer = await team.maintainer.post(at(), body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message });
    });

    it('are refused when they are too long', async () => {
      const answer = await team.maintainer.post(at(), { key: 'K'.repeat(256), value: 'x'.repeat(10_001) });
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          message: {
            key: ['is too long (maximum is 255 characters)'],
            value: ['is too long (maximum is 10000 characters)'],
          },
        },
      ]);
    });

    it('are masked only if they can be found in output, and are checked when masking is turned on', async () => {
      const good = { key: 'MASKED', value: 'glpat-a.b~c=/+@:_1', masked: true };
      expect((await team.maintainer.post(at(), good)).body).toMatchObject(good);
      const raw = { key: 'MASKED_RAW', value: 'pa$$w0rd!{}', masked: true, raw: true };
      expect((await team.maintainer.post(at(), raw)).body).toMatchObject(raw);
      expect((await team.maintainer.put(at('/MASKED_RAW'), { raw: false })).status).toBe(400);
      await team.maintainer.post(at(), { key: 'OPEN', value: 'two words' });
      const refused = await team.maintainer.put(at('/OPEN'), { masked: true });
      expect([refused.status, refused.body]).toEqual([400, { message: { value: ['is invalid'] } }]);
      expect((await team.maintainer.get(at('/OPEN'))).body).toMatchObject({ masked: false });
    });

    it('have a unique key per environment, also in parallel', async () => {
      const set = { key: 'ONCE', value: 'x' };
      const answers = await Promise.all(Array.from({ length: 8 }, () => team.maintainer.post(at(), set)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(400)]);
      expect(answers.find(({ status }) => status === 400)?.body).toEqual({
        message: { key: ['(ONCE) has already been taken'] },
      });
    });

    it('are distinguished by their environments', async () => {
      for (const scope of ['staging', 'production'])
        expect(
          (await team.maintainer.post(at(), { key: 'URL', value: scope, environment_scope: scope })).status,
        ).toBe(201);
      const query = '?filter[environment_scope]=staging';
      expect((await team.maintainer.get(at(`/URL${query}`))).body).toMatchObject({ value: 'staging' });
      for (const answer of [
        await team.maintainer.get(at('/URL')),
        await team.maintainer.put(at('/URL'), { value: 'x' }),
        await team.maintainer.delete(at('/URL')),
      ]) {
        expect(answer.status).toBe(409);
        expect(answer.body).toEqual({
          message:
            "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
        });
      }
      const filter = { environment_scope: 'staging' };
      const taken = await team.maintainer.put(at('/URL'), { filter, environment_scope: 'production' });
      expect([taken.status, taken.body]).toEqual([
        400,
        { message: { key: ['(URL) has already been taken'] } },
      ]);
      expect((await team.maintainer.put(at('/URL'), { filter, value: 'new' })).body).toMatchObject({
        value: 'new',
        environment_scope: 'staging',
      });
      expect((await team.maintainer.get(at(`/URL?filter=x`))).status).toBe(400);
      expect((await team.maintainer.get(at('/URL?filter[environment_scope]=none'))).status).toBe(404);
      expect((await team.maintainer.delete(at(`/URL${query}`))).status).toBe(204);
      expect((await team.maintainer.get(at('/URL'))).body).toMatchObject({ value: 'production' });
    });

    it('are encrypted with a key for their owner and name', async () => {
      const other = await buildProject(api.root);
      for (const projectId of [team.projectId, other.id])
        await api.root.post(`/projects/${projectId}/variables`, { key: 'SEALED', value: `of ${projectId}` });
      const rows = await api.sql<{ value: string }>(`select value from ci_variables where key = 'SEALED'`);
      expect(rows).toHaveLength(2);
      for (const { value } of rows) expect(value).not.toContain('of ');
      await api.sql(
        `update ci_variables set value = (select value from ci_variables where key = 'SEALED' and owner_id = $1)
          where key = 'SEALED' and owner_id = $2`,
        [team.projectId, other.id],
      );
      expect((await api.root.get(`/projects/${other.id}/variables/SEALED`)).body).toMatchObject({
        value: null,
      });
    });

    it('are visible to Maintainers only', async () => {
      await team.maintainer.post(at(), { key: 'SECRET', value: 'x' });
      const codes = async (client: ApiClient): Promise<number[]> => [
        (await client.get(at())).status,
        (await client.get(at('/SECRET'))).status,
        (await client.post(at(), { key: 'ROLES', value: 'x' })).status,
        (await client.put(at('/SECRET'), { value: 'y' })).status,
        (await client.delete(at('/ROLES'))).status,
      ];
      expect(await codes(team.maintainer)).toEqual([200, 200, 201, 200, 204]);
      for (const client of [team.guest, team.reporter, team.developer])
        expect(await codes(client)).toEqual([403, 403, 403, 403, 403]);
      expect(await codes(team.stranger)).toEqual([404, 404, 404, 404, 404]);
      expect(await codes(api.anonymous)).toEqual([401, 401, 401, 401, 401]);
    });

    it('are not removed if they have changed since the caller read them', async () => {
      await team.maintainer.post(at(), { key: 'SEEN', value: 'x' });
      const header = { 'If-Unmodified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' };
      expect((await team.maintainer.delete(at('/SEEN'), header)).status).toBe(412);
      expect((await team.maintainer.get(at('/SEEN'))).status).toBe(200);
    });

    it('are audited without their values', async () => {
      await team.maintainer.post(at(), { key: 'AUDITED', value: 'never-to-be-told' });
      await team.maintainer.put(at('/AUDITED'), { value: 'never-to-be-told-2', protected: true });
      await team.maintainer.delete(at('/AUDITED'));
      const { body, text } = await api.root.get<AuditBody[]>(
        `/projects/${team.projectId}/audit_events?per_page=100`,
      );
      const messages = body
        .filter(({ details }) => details.target_details === 'AUDITED')
        .map(({ details }) => details.custom_message);
      expect(messages.sort()).toEqual([
        'CI/CD variable AUDITED (scope *) created (protected: false, masked: false)',
        'CI/CD variable AUDITED (scope *) deleted (protected: true, masked: false)',
        'CI/CD variable AUDITED (scope *) updated (protected: true, masked: false)',
      ]);
      expect(text).not.toContain('never-to-be-told');
    });
  });

  describe('of groups and the instance', () => {
    it('are managed by Owners and administrators', async () => {
      const group = await buildGroup(api);
      const path = `/groups/${group.id}/variables`;
      const codes = async (client: ApiClient, base: string): Promise<number[]> => [
        (await client.post(base, { key: 'PLACE', value: 'x' })).status,
        (await client.get(base)).status,
        (await client.get(`${base}/PLACE`)).status,
        (await client.put(`${base}/PLACE`, { value: 'y' })).status,
        (await client.delete(`${base}/PLACE`)).status,
      ];
      const { id, client } = await createUser(api);
      expect(await codes(client, path)).toEqual([404, 404, 404, 404, 404]);
      await api.root.post(`/groups/${group.id}/members`, { user_id: id, access_level: 40 });
      expect(await codes(client, path)).toEqual([403, 403, 403, 403, 403]);
      await api.root.put(`/groups/${group.id}/members/${id}`, { access_level: 50 });
      expect(await codes(client, path)).toEqual([201, 200, 200, 200, 204]);
      expect(await codes(client, '/admin/ci/variables')).toEqual([403, 403, 403, 403, 403]);
      expect(await codes(api.root, '/admin/ci/variables')).toEqual([201, 200, 200, 200, 204]);
      expect(await codes(api.anonymous, '/admin/ci/variables')).toEqual([401, 401, 401, 401, 401]);
    });

    it('apply to all environments in groups below the premium plan, and in the instance', async () => {
      const group = await buildGroup(api);
      const scoped = { key: 'SCOPED', value: 'x', environment_scope: 'production' };
      await api.root.put('/application/settings', { license_plan: 'free' });
      const made = await api.root.post(`/groups/${group.id}/variables`, scoped);
      await api.root.put('/application/settings', { license_plan: 'ultimate' });
      expect(made.body).toMatchObject({ environment_scope: '*' });
      const changed = await api.root.put(`/groups/${group.id}/variables/SCOPED`, scoped);
      expect(changed.body).toMatchObject({ environment_scope: 'production' });
      const ofInstance = await api.root.post('/admin/ci/variables', scoped);
      expect(ofInstance.body).not.toHaveProperty('environment_scope');
      expect((await api.root.delete('/admin/ci/variables/SCOPED')).status).toBe(204);
    });
  });
});
