import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { consistencyChecks } from '../../../../src/cli/doctor/doctor-checks.js';
import type { TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

/** The date in that number of days, in UTC. */
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('the last owner of a group', () => {
  let api: TestApi;
  let owner: CreatedUser;
  let other: CreatedUser;
  let group: BuiltGroup;
  let path: string;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    owner = await createUser(api);
    other = await createUser(api);
    group = await buildGroup(api, {}, owner.client);
    path = `/groups/${group.id}/members`;
    await buildMember(api, `groups/${group.id}`, other.id, 50);
  });

  const gone = async (table: string, id: number): Promise<unknown> =>
    until(async () => (await api.sql(`select 1 from ${table} where id = $1`, [id])).length === 0);

  it('cannot get today as the expiry date', async () => {
    const refused = await owner.client.put(`${path}/${owner.id}`, { access_level: 50, expires_at: day(0) });
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { expires_at: ['cannot be a date in the past'] } },
    ]);
    const added = { user_id: (await createUser(api)).id, access_level: 10, expires_at: day(0) };
    expect((await owner.client.post(path, added)).status).toBe(400);
    const guests = await buildGroup(api, {}, owner.client);
    const share = { group_id: guests.id, group_access: 10, expires_at: day(0) };
    expect((await owner.client.post(`/groups/${group.id}/share`, share)).status).toBe(400);
    expect((await owner.client.get(`${path}/${owner.id}`)).body).toMatchObject({ expires_at: null });
  });

  it('cannot get an expiry date or be removed', async () => {
    const end = (id: number): Promise<{ status: number }> =>
      api.root.put(`${path}/${id}`, { access_level: 50, expires_at: day(2) });
    expect((await end(other.id)).status).toBe(200);
    expect((await end(owner.id)).status).toBe(403);
    expect((await owner.client.delete(`${path}/${owner.id}`)).status).toBe(403);
    expect((await api.root.delete(`/users/${owner.id}`)).status).toBe(409);
    expect((await other.client.delete(`${path}/${other.id}`)).status).toBe(204);
  });

  it.each([
    ['blocked', `update users set state = 'blocked' where id = $1`],
    ['being deleted', 'update users set pending_delete = true where id = $1'],
    ['expired', 'update members set expires_at = current_date where user_id = $1 and access_level = 50'],
  ])('may not leave if the other owner is %s', async (_what, sql) => {
    await api.sql(sql, [other.id]);
    expect((await owner.client.delete(`${path}/${owner.id}`)).status).toBe(403);
    expect((await owner.client.put(`${path}/${owner.id}`, { access_level: 40 })).status).toBe(403);
    expect((await api.root.delete(`/users/${owner.id}`)).status).toBe(409);
  });

  it('may leave if there is another owner, or they own a parent group', async () => {
    const child = await buildGroup(api, { parent_id: group.id }, owner.client);
    await buildMember(api, `groups/${child.id}`, (await createUser(api)).id, 10);
    expect((await owner.client.delete(`${path}/${owner.id}`)).status).toBe(204);
  });

  it('loses the group when all owners are deleted permanently', async () => {
    await Promise.all([owner, other].map(({ id }) => api.root.delete(`/users/${id}?hard_delete=true`)));
    await gone('users', owner.id);
    await gone('users', other.id);
    await gone('namespaces', group.id);
  });

  it('loses the group if the other owner is already being deleted', async () => {
    expect((await api.root.delete(`/users/${other.id}`)).status).toBe(204);
    expect((await api.root.delete(`/users/${owner.id}`)).status).toBe(409);
    expect((await api.root.delete(`/users/${owner.id}?hard_delete=true`)).status).toBe(204);
    await gone('namespaces', group.id);
  });

  it('is the user who moves a subgroup from its owners to the top level', async () => {
    const doctor = consistencyChecks.find(({ check }) => check.endsWith('has an owner'))?.sql ?? '';
    const inner = await buildGroup(api, { parent_id: group.id }, owner.client);
    await api.sql(`delete from members where source_type = 'Namespace' and source_id = $1`, [inner.id]);
    await buildMember(api, `groups/${inner.id}`, owner.id, 50, day(3));
    expect((await owner.client.post(`/groups/${inner.id}/transfer`)).status).toBe(201);
    const kept = await owner.client.get(`/groups/${inner.id}/members/${owner.id}`);
    expect(kept.body).toMatchObject({ access_level: 50, expires_at: null });
    expect(await api.sql(doctor)).toEqual([]);
    const second = await buildGroup(api, { parent_id: group.id }, owner.client);
    const { body: token } = await owner.client.post<{ token: string }>(`/groups/${group.id}/access_tokens`, {
      name: 'mover',
      scopes: ['api'],
      access_level: 50,
    });
    await api.sql(`delete from members where source_type = 'Namespace' and source_id = $1`, [second.id]);
    // Bots may not create top-level groups.
    expect((await api.as(token.token).post(`/groups/${second.id}/transfer`)).status).toBe(403);
  });

  it('is reported as missing by doctor if all owners are blocked', async () => {
    const doctor = consistencyChecks.find(({ check }) => check.endsWith('has an owner'))?.sql ?? '';
    await api.sql(`update users set state = 'blocked' where id = any($1)`, [[owner.id, other.id]]);
    expect(await api.sql(doctor)).toContainEqual({ what: `group ${group.id}` });
  });
});
