import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { TestApi } from '../../../support/api.js';
import { startProbedApi } from '../../../support/probe/start-probed-api.js';

const CALLERS = [
  'anonymous',
  'stranger',
  'external',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
] as const;
type Caller = (typeof CALLERS)[number];

const LEVELS: Partial<Record<Caller, number>> = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
};

const VISIBILITIES = ['private', 'internal', 'public'] as const;
type Visibility = (typeof VISIBILITIES)[number];

const tokenOf = (caller: Caller): string => `glpat-visibility-${caller}-0001`;

/** Ids of users: in the order of the callers, from 100 on. */
const idOf = (caller: Caller): number => 100 + CALLERS.indexOf(caller);

const projectOf = (visibility: Visibility): number => 300 + VISIBILITIES.indexOf(visibility);
const groupOf = (visibility: Visibility): number => 200 + VISIBILITIES.indexOf(visibility);

/** Whether the caller can see objects of that visibility (`auth-core.md` 5.5). */
const sees = (caller: Caller, visibility: Visibility): boolean =>
  visibility === 'public' ||
  caller === 'admin' ||
  caller in LEVELS ||
  (visibility === 'internal' && caller === 'stranger');

const levelOf = (caller: Caller): number => (caller === 'admin' ? 60 : (LEVELS[caller] ?? 0));

async function arrange(api: TestApi): Promise<void> {
  for (const caller of CALLERS.slice(1)) {
    await api.sql(
      `insert into users (id, username, name, email, admin, external, confirmed_at) values ($1, $2, $2, $2 || '@visibility.test', $3, $4, now())`,
      [idOf(caller), caller, caller === 'admin', caller === 'external'],
    );
    await api.sql(
      `insert into personal_access_tokens (user_id, name, digest, scopes) values ($1, 'token', $2, $3)`,
      [idOf(caller), digestToken(tokenOf(caller)), SCOPES],
    );
  }
  for (const visibility of VISIBILITIES) {
    const group = groupOf(visibility);
    await api.sql(
      `insert into namespaces (id, type, name, path, full_path, full_name, traversal_ids, visibility)
       values ($1::bigint, 'Group', $2, $2, $2, $2, array[$1::bigint], $2)`,
      [group, visibility],
    );
    await api.sql(
      `insert into projects (id, namespace_id, name, path, full_path, full_name, visibility)
       values ($1, $2, 'p', 'p', $3 || '/p', $3 || '/p', $3)`,
      [projectOf(visibility), group, visibility],
    );
    await api.sql(
      `insert into routes (path, source_type, source_id) values ($1, 'Namespace', $2), ($1 || '/p', 'Project', $3)`,
      [visibility, group, projectOf(visibility)],
    );
    for (const [caller, level] of Object.entries(LEVELS)) {
      await api.sql(
        `insert into members (source_type, source_id, user_id, access_level) values ('Namespace', $1, $2, $3)`,
        [group, idOf(caller as Caller), level],
      );
    }
  }
}

const unauthorized = { status: 401, body: { message: '401 Unauthorized' } };
const forbidden = { status: 403, body: { message: '403 Forbidden' } };
const missing = (kind: string): object => ({ status: 404, body: { message: `404 ${kind} Not Found` } });

/** Expected result for a caller and a visibility. */
interface Rule {
  readonly isWrite: boolean;
  readonly anyone?: boolean;
  readonly publicRead?: boolean;
  readonly level: number;
}

function expected(kind: string, rule: Rule, caller: Caller, visibility: Visibility): object {
  if (caller === 'anonymous' && !rule.anyone) return unauthorized;
  if (!sees(caller, visibility)) return missing(kind);
  const mayUse = levelOf(caller) >= rule.level || (rule.publicRead === true && visibility !== 'private');
  return mayUse ? { status: rule.isWrite ? 201 : 200, body: expect.anything() } : forbidden;
}

describe('visibility', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startProbedApi();
    await arrange(api);
  });
  afterAll(() => api.close());

  const ask = async (caller: Caller, rule: Rule, path: string): Promise<object> => {
    const client = caller === 'anonymous' ? api.anonymous : api.as(tokenOf(caller));
    const { status, body } = await (rule.isWrite ? client.post(path) : client.get(path));
    return { status, body };
  };

  async function matrix(kind: 'Project' | 'Group', name: string, rule: Rule): Promise<void> {
    for (const visibility of VISIBILITIES) {
      const id = kind === 'Project' ? projectOf(visibility) : groupOf(visibility);
      const path = kind === 'Project' ? `${visibility}%2Fp` : visibility;
      const base = kind === 'Project' ? '/projects' : '/groups';
      for (const caller of CALLERS) {
        const wanted = expected(kind, rule, caller, visibility);
        for (const reference of [id, path, path.toUpperCase().replace('%2f', '%2F')]) {
          const answer = await ask(caller, rule, `${base}/${reference}/probe/${name}`);
          expect([visibility, caller, reference, answer]).toEqual([visibility, caller, reference, wanted]);
        }
      }
    }
  }

  it.each<['Project' | 'Group', string, Rule]>([
    ['Project', 'open', { isWrite: false, anyone: true, publicRead: true, level: 10 }],
    ['Project', 'signed-in', { isWrite: false, publicRead: true, level: 10 }],
    ['Project', 'reporter', { isWrite: false, level: 20 }],
    ['Project', 'developer', { isWrite: true, level: 30 }],
    ['Project', 'owner', { isWrite: true, level: 50 }],
    ['Group', 'open', { isWrite: false, anyone: true, publicRead: true, level: 10 }],
    ['Group', 'reporter', { isWrite: false, level: 20 }],
    ['Group', 'maintainer', { isWrite: true, level: 40 }],
  ])('%s: %s', async (kind, name, rule) => {
    await matrix(kind, name, rule);
  });

  it('does not distinguish a hidden subject from a missing one', async () => {
    for (const [hidden, absent] of [
      ['300', '999999'],
      ['private%2Fp', 'private%2Fq'],
    ] as const) {
      const stranger = api.as(tokenOf('stranger'));
      const [one, other] = [
        await stranger.get(`/projects/${hidden}/probe/open`),
        await stranger.get(`/projects/${absent}/probe/open`),
      ];
      expect([one.status, one.text]).toEqual([404, '{"message":"404 Project Not Found"}']);
      expect([other.status, other.text]).toEqual([one.status, one.text]);
    }
  });

  it('does not treat a plain word as a project, nor one kind of subject as the other', async () => {
    for (const path of [
      '/projects/public',
      '/projects/200',
      '/groups/public%2Fp',
      '/groups/302',
      '/groups/1',
      '/groups/root',
    ]) {
      const { status } = await api.as(tokenOf('admin')).get(`${path}/probe/open`);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  it('hides a members-only feature from others, and a disabled one from everyone', async () => {
    const set = (level: string): Promise<unknown> =>
      api.sql(
        `update projects set settings = jsonb_build_object('environments_access_level', $1::text) where id = 302`,
        [level],
      );
    const statuses = async (): Promise<number[]> =>
      Promise.all(
        (['stranger', 'reporter', 'developer', 'owner'] as const).map(
          async (caller) => (await api.as(tokenOf(caller)).post('/projects/302/probe/developer')).status,
        ),
      );
    await set('enabled');
    expect(await statuses()).toEqual([403, 403, 201, 201]);
    await set('private');
    expect(await statuses()).toEqual([403, 403, 201, 201]);
    await set('disabled');
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    await set('enabled');
    await api.sql('update projects set archived = true where id = 302');
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    await api.sql('update projects set archived = false where id = 302');
  });

  it('changes immediately with a role, an account or a token', async () => {
    const get = async (): Promise<number> =>
      (await api.as(tokenOf('guest')).get('/projects/300/probe/open')).status;
    expect(await get()).toBe(200);
    await api.sql('update members set expires_at = current_date where user_id = $1 and source_id = 200', [
      idOf('guest'),
    ]);
    expect(await get()).toBe(404);
    await api.sql('update members set expires_at = null where user_id = $1', [idOf('guest')]);
    expect(await get()).toBe(200);
    await api.sql(`update users set state = 'blocked' where id = $1`, [idOf('guest')]);
    expect(await get()).toBe(403);
    await api.sql(`update users set state = 'active' where id = $1`, [idOf('guest')]);
    await api.sql('update personal_access_tokens set revoked = true where user_id = $1', [idOf('guest')]);
    expect(await get()).toBe(401);
  });
});
