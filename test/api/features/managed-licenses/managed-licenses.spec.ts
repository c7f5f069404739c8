import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { buildToken } from '../../../support/builders/token.js';
import type { Answer } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface License {
  readonly id: number;
  readonly name: string;
  readonly approval_status: string;
}

describe('managed licenses', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let other: ProjectTeam;
  const at = (suffix: string | number = '', project = team.projectId): string =>
    `/projects/${project}/managed_licenses${suffix === '' ? '' : `/${suffix}`}`;
  const add = (name: string, approval_status = 'allowed'): Promise<Answer<License>> =>
    team.maintainer.post<License>(at(), { name, approval_status });
  beforeAll(async () => {
    api = await borrowApi();
    [team, other] = await Promise.all([buildProjectTeam(api), buildProjectTeam(api)]);
  });
  afterAll(() => api.close());

  it('are limited in number, also those that are added at the same time', async () => {
    await api.sql(
      `insert into managed_licenses (project_id, name, approval_status)
        select $1, 'license ' || n, 'allowed' from generate_series(1, 999) n`,
      [other.projectId],
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        other.maintainer.post(at('', other.projectId), { name: `new ${index}`, approval_status: 'denied' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    await api.sql(`delete from managed_licenses where project_id = $1`, [other.projectId]);
  });

  it('are created, found by id or name, changed and removed', async () => {
    const { status, body } = await add(' MIT ', 'approved');
    expect([status, body]).toEqual([
      201,
      { id: expect.any(Number), name: 'MIT', approval_status: 'allowed' },
    ]);
    const isc = (await add('ISC License', 'denied')).body;
    expect((await team.reporter.get(at())).body).toEqual([body, isc]);
    expect((await team.reporter.get(at(body.id))).body).toEqual(body);
    expect((await team.reporter.get(at('isc%20license'))).body).toEqual(isc);
    const denied = { ...body, approval_status: 'denied' };
    const changed = await team.maintainer.send('PATCH', at(body.id), { approval_status: 'blacklisted' });
    expect([changed.status, changed.body]).toEqual([200, denied]);
    expect((await team.reporter.get(at('MIT'))).body).toEqual(denied);
    const early = { 'If-Unmodified-Since': new Date(0).toUTCString() };
    expect((await team.maintainer.delete(at('MIT'), early)).status).toBe(412);
    expect((await team.maintainer.delete(at('MIT'))).status).toBe(204);
    expect((await team.reporter.get(at('MIT'))).body).toEqual({ message: '404 Managed License Not Found' });
  });

  it('report invalid attributes', async () => {
    expect((await team.maintainer.post(at(), {})).body).toEqual({
      message: '400 (Bad request) "name" not given',
    });
    const statuses = ['perhaps', ['allowed'], null, 1];
    for (const status of statuses) expect((await add('X', status as string)).status).toBe(400);
    for (const name of [['MIT'], '', 'x'.repeat(256)]) expect((await add(name as string)).status).toBe(400);
    await add('BSD');
    const again = await add('bsd');
    expect([again.status, again.body]).toEqual([400, { message: { name: ['has already been taken'] } }]);
    expect((await team.reporter.get(at('9'.repeat(40)))).status).toBe(404);
  });

  it('are created once per name, even with simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add('Apache 2.0')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(400)]);
  });

  it('can be read by Reporters and changed by Maintainers, in their own project, on premium', async () => {
    const { id } = (await add('GPL')).body;
    expect((await team.guest.get(at())).status).toBe(403);
    expect((await team.developer.post(at(), { name: 'Y', approval_status: 'denied' })).status).toBe(403);
    expect((await team.developer.send('PATCH', at(id), { approval_status: 'denied' })).status).toBe(403);
    expect((await team.developer.delete(at(id))).status).toBe(403);
    expect((await api.anonymous.get(at())).status).toBe(401);
    for (const name of [id, 'GPL']) {
      const foreign = at(name, other.projectId);
      expect((await other.maintainer.get(foreign)).status).toBe(404);
      expect((await other.maintainer.send('PATCH', foreign, { approval_status: 'denied' })).status).toBe(404);
      expect((await other.maintainer.delete(foreign)).status).toBe(404);
    }
    const reading = await buildToken(api, 1, { scopes: ['read_api'] });
    expect((await api.as(reading.token).delete(at(id))).status).toBe(403);
    await api.sql('update personal_access_tokens set revoked = true where user_id = 1 and scopes = $1', [
      '{read_api}',
    ]);
    expect((await api.as(reading.token).get(at(id))).status).toBe(401);
    await api.root.put('/application/settings', { license_plan: 'free' });
    expect((await team.maintainer.get(at())).status).toBe(403);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
  });
});
