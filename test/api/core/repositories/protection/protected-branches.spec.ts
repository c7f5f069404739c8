import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { ProtectBranch } from '#core/repositories/protection/protect-branch.use-case.js';
import type { TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildProject } from '../../../../support/builders/project.js';
import { createUser } from '../../../../support/builders/user.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface Level {
  id: number;
  access_level: number | null;
  access_level_description: string;
  user_id: number | null;
  group_id: number | null;
}
interface Body {
  id: number;
  name: string;
  push_access_levels: Level[];
  merge_access_levels: Level[];
  unprotect_access_levels: Level[];
  allow_force_push: boolean;
}

let api: TestApi;
let code: CodeProject;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  code = await buildCodeProject(api);
  path = `/projects/${code.id}/protected_branches`;
});
afterAll(async () => {
  code.work.remove();
  await api.close();
});

const levels = (list: Level[]): (number | null)[] => list.map((one) => one.access_level);

describe('protected branches', () => {
  it('are created, shown, listed, changed and removed', async () => {
    const made = await code.maintainer.post<Body>(path, { name: 'release/*' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'release/*',
        push_access_levels: [
          {
            id: expect.any(Number),
            access_level: 40,
            access_level_description: 'Maintainers',
            user_id: null,
            group_id: null,
          },
        ],
        merge_access_levels: [expect.objectContaining({ access_level: 40 })],
        unprotect_access_levels: [expect.objectContaining({ access_level: 40 })],
        allow_force_push: false,
        code_owner_approval_required: false,
      },
    ]);
    const one = `${path}/release%2F*`;
    expect((await code.maintainer.get(one)).body).toEqual(made.body);
    await code.maintainer.post(path, {
      name: 'main',
      push_access_level: 0,
      merge_access_level: 30,
      allow_force_push: true,
    });
    const list = await code.maintainer.get<Body[]>(path);
    expect(
      list.body.map(({ name, push_access_levels: push, merge_access_levels: merge }) => [
        name,
        push[0]?.access_level_description,
        merge[0]?.access_level_description,
      ]),
    ).toEqual([
      ['main', 'No one', 'Developers + Maintainers'],
      ['release/*', 'Maintainers', 'Maintainers'],
    ]);
    expect(list.headers.get('x-total')).toBe('2');
    expect((await code.maintainer.get<Body[]>(`${path}?search=LEASE`)).body).toEqual([made.body]);
    const changed = await code.maintainer.send<Body>('PATCH', one, {
      allow_force_push: true,
      push_access_level: 30,
    });
    expect(changed.status).toBe(200);
    expect([changed.body.allow_force_push, levels(changed.body.push_access_levels)]).toEqual([true, [30]]);
    const late = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await code.maintainer.delete(one, late)).status).toBe(412);
    expect((await code.maintainer.delete(one)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await code.maintainer.send(method, one, method === 'PATCH' ? {} : undefined)).body).toEqual({
        message: '404 Protected Branch Not Found',
      });
    const events = await api.sql<{ details: { event_name: string } }>(
      `select details from audit_events where details ->> 'target_type' = 'ProtectedBranch' and entity_id = $1 order by id`,
      [code.id],
    );
    expect(events.map(({ details }) => details.event_name)).toEqual([
      'protected_branch_created',
      'protected_branch_created',
      'protected_branch_updated',
      'protected_branch_removed',
    ]);
  });

  it('are protected once, and only with names that a branch can have', async () => {
    await code.maintainer.post(path, { name: 'once' });
    expect((await code.maintainer.post(path, { name: 'once' })).body).toEqual({
      message: "Protected branch 'once' already exists",
    });
    for (const name of [
      '-d',
      'a..b',
      'a b',
      ['x'],
      {},
      '',
      'a\0',
      'x'.repeat(256),
      'x'.repeat(10_240),
      '../*',
    ])
      expect([name, (await code.maintainer.post(path, { name })).status]).toEqual([name, 400]);
    for (const push of [10, 50, 'x', [40]])
      expect((await code.maintainer.post(path, { name: 'y', push_access_level: push })).status).toBe(400);
    const none = await code.maintainer.post(path, { name: 'y', unprotect_access_level: 0 });
    expect(none.status).toBe(400);
  });

  it('are managed by Maintainers, for one project only', async () => {
    for (const [client, status] of [
      [code.developer, 403],
      [code.reporter, 403],
      [api.anonymous, 401],
    ] as const) {
      expect((await client.get(path)).status).toBe(status);
      expect((await client.post(path, { name: 'z' })).status).toBe(status);
      expect((await client.delete(`${path}/once`)).status).toBe(status);
    }
    const other = await buildProject(api.root);
    expect((await api.root.get(`/projects/${other.id}/protected_branches/once`)).status).toBe(404);
    expect((await api.root.delete(`/projects/${other.id}/protected_branches/once`)).status).toBe(404);
  });
});

describe('permissions of users and groups', () => {
  it('are granted, changed and removed on the premium plan', async () => {
    const team = await buildGroup(api);
    await api.root.post(`/projects/${code.id}/share`, { group_id: team.id, group_access: 30 });
    const made = await code.maintainer.post<Body>(path, {
      name: 'rights',
      allowed_to_push: [{ user_id: code.developerId }, { group_id: team.id }],
      allowed_to_merge: [{ access_level: 30 }],
    });
    expect(made.status).toBe(201);
    expect(made.body.push_access_levels).toEqual([
      expect.objectContaining({ access_level: null, user_id: code.developerId, group_id: null }),
      expect.objectContaining({ group_id: team.id, access_level_description: team.name }),
    ]);
    expect(levels(made.body.merge_access_levels)).toEqual([30]);
    const [user, group] = made.body.push_access_levels;
    const changed = await code.maintainer.send<Body>('PATCH', `${path}/rights`, {
      allowed_to_push: [
        { id: user?.id, access_level: 40 },
        { id: group?.id, _destroy: true },
        { user_id: code.developerId },
        { user_id: code.developerId },
      ],
    });
    expect(changed.body.push_access_levels.map((one) => [one.access_level, one.user_id])).toEqual([
      [40, null],
      [null, code.developerId],
    ]);
  });

  it('are refused for users and groups without access, and never moved to another protection', async () => {
    const stranger = await createUser(api);
    const strangers = await buildGroup(api);
    const other = await api.root.post<Body>(
      `/projects/${(await buildProject(api.root)).id}/protected_branches`,
      { name: 'theirs' },
    );
    const theirs = other.body.push_access_levels[0]?.id;
    const refused = [
      { user_id: stranger.id },
      { group_id: strangers.id },
      { user_id: 999_999 },
      { user_id: code.developerId, access_level: 30 },
      {},
      { id: theirs, _destroy: true },
      { id: theirs, access_level: 30 },
    ];
    for (const one of refused)
      expect([
        one,
        (await code.maintainer.send('PATCH', `${path}/once`, { allowed_to_push: [one] })).status,
      ]).toEqual([one, 400]);
    for (const list of ['x', 7, [1], [['a']], { user_id: 1 }])
      expect((await code.maintainer.post(path, { name: 'w', allowed_to_push: list })).status).toBe(400);
    expect(await api.sql('select 1 from protected_ref_access_levels where id = $1', [theirs])).toHaveLength(
      1,
    );
    expect((await code.maintainer.get(`${path}/w`)).status).toBe(404);
  });

  it('are not given when they are to be removed, but are not named by their id', async () => {
    const made = await code.maintainer.post<Body>(path, { name: 'removed', push_access_level: 40 });
    const gone = [{ user_id: code.developerId, _destroy: true }];
    const changed = await code.maintainer.send('PATCH', `${path}/removed`, { allowed_to_push: gone });
    expect(changed.status).toBe(400);
    expect((await code.maintainer.post(path, { name: 'removed-2', allowed_to_push: gone })).status).toBe(400);
    expect((await code.maintainer.get(`${path}/removed`)).body).toEqual(made.body);
  });

  it('include who may unprotect, and are ignored on the free plan', async () => {
    await api.root.post(path, { name: 'locked', unprotect_access_level: 60 });
    expect((await code.maintainer.delete(`${path}/locked`)).status).toBe(403);
    const raised = { unprotect_access_level: 40 };
    expect((await code.maintainer.send('PATCH', `${path}/locked`, raised)).status).toBe(403);
    expect((await api.root.delete(`${path}/locked`)).status).toBe(204);
    const { body: settings } = await api.root.get<{ license_plan: string }>('/application/settings');
    await api.root.put('/application/settings', { license_plan: 'free' });
    const values = { name: 'free', allowed_to_push: [{ user_id: code.developerId }] };
    const made = await code.maintainer.post<Body>(path, values);
    await api.root.put('/application/settings', { license_plan: settings.license_plan });
    expect(levels(made.body.push_access_levels)).toEqual([40]);
  });
});

describe('the deprecated way of protecting', () => {
  it('protects and unprotects an existing branch', async () => {
    const branches = `/projects/${code.id}/repository/branches`;
    await code.developer.post(branches, { branch: 'old/way', ref: 'main' });
    const on = await code.maintainer.put(`${branches}/old%2Fway/protect`, { developers_can_merge: true });
    expect([on.status, on.body]).toMatchObject([
      200,
      { protected: true, developers_can_push: false, developers_can_merge: true, can_push: true },
    ]);
    expect((await code.developer.get(`${branches}/old%2Fway`)).body).toMatchObject({ can_push: false });
    const again = await code.maintainer.put(`${branches}/old%2Fway/protect`, { developers_can_push: true });
    expect(again.body).toMatchObject({ developers_can_push: true, developers_can_merge: true });
    for (let time = 0; time < 2; time += 1)
      expect((await code.maintainer.put(`${branches}/old%2Fway/unprotect`)).body).toMatchObject({
        protected: false,
      });
    expect((await code.maintainer.put(`${branches}/none/protect`)).body).toEqual({
      message: '404 Branch Not Found',
    });
    expect((await code.developer.put(`${branches}/main/protect`)).status).toBe(403);
  });
});

describe('protection of the default branch', () => {
  const protect = async (projectId: number): Promise<Body[]> => {
    const protection = api.app.get(ProtectBranch, { strict: false });
    await api.app.get(Transactions).run((tx) => protection.run(tx, projectId, 'trunk'));
    return (await api.root.get<Body[]>(`/projects/${projectId}/protected_branches`)).body;
  };

  it.each([
    [0, null],
    [1, [30, 30]],
    [2, [40, 40]],
    [3, [40, 30]],
    [4, [40, 40]],
  ])('uses the setting %i', async (value, expected) => {
    await api.root.put('/application/settings', { default_branch_protection: value });
    const { id } = await buildProject(api.root);
    await protect(id);
    const [made] = await protect(id);
    await api.root.put('/application/settings', { default_branch_protection: 2 });
    const found = made && [...levels(made.push_access_levels), ...levels(made.merge_access_levels)];
    expect(found ?? null).toEqual(expected);
  });

  it('uses the group before the instance, and keeps existing protections', async () => {
    const group = await buildGroup(api, { default_branch_protection: 1 });
    const { id } = await buildProject(api.root, { namespace_id: group.id });
    expect(levels((await protect(id))[0]?.push_access_levels ?? [])).toEqual([30]);
    const other = await buildProject(api.root);
    await api.root.post(`/projects/${other.id}/protected_branches`, { name: 'tr*', push_access_level: 0 });
    expect((await protect(other.id)).map(({ name }) => name)).toEqual(['tr*']);
  });
});

it('is removed with the project', async () => {
  const project = await buildProject(api.root);
  await api.root.post(`/projects/${project.id}/protected_branches`, { name: 'main' });
  await api.sql('delete from projects where id = $1', [project.id]);
  expect(await api.sql('select 1 from protected_refs where project_id = $1', [project.id])).toEqual([]);
});
