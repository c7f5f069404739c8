import type { AccessRule } from '#kernel/access/access.js';
import { SCOPES } from '#kernel/access/roles.js';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { addToken, addUser } from './builders/instance.js';
import type { TestApi } from './api.js';
import { HERE, partOf } from './hostile/world.js';

/** A caller of the matrix. */
export interface Asker {
  readonly name: string;
  /** Token; null for no credential. */
  readonly token: string | null;
  readonly level: number;
  /** Whether the caller acts as an administrator. */
  readonly admin: boolean;
  readonly scope: string | null;
}

const LEVELS = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;

/** A rank above owners. */
const ADMIN = 60;

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Creates one user for each role in the group of the world, and tokens of each scope for the most powerful ones. */
export async function arrangeAskers(api: TestApi): Promise<Asker[]> {
  const askers: Asker[] = [{ name: 'anonymous', token: null, level: 0, admin: false, scope: null }];
  const add = async (name: string, level = 0, scopes = ['api']): Promise<number> => {
    const { id, token } = await addUser(api, `matrix-${name}`, scopes);
    const admin = scopes.includes('admin_mode');
    askers.push({ name, token, level: admin ? ADMIN : level, admin, scope: 'api' });
    if (level > 0)
      await api.sql(
        `insert into members (source_type, source_id, user_id, access_level) values ('Namespace', $1, $2, $3)`,
        [HERE.group, id, level],
      );
    return id;
  };
  await add('stranger');
  await api.sql('update users set external = true where id = $1', [await add('external')]);
  const ids: Record<string, number> = {};
  for (const [name, level] of Object.entries(LEVELS)) ids[name] = await add(name, level);
  ids['plain administrator'] = await add('plain administrator');
  ids['administrator'] = await add('administrator', 0, ['api', 'admin_mode']);
  await api.sql('update users set admin = true where id = any($1)', [
    [ids['plain administrator'], ids['administrator']],
  ]);
  // Scopes limit even the most powerful caller; callers with fewer rights and the same scopes are limited in
  // the same way.
  for (const [name, level, admin] of [
    ['owner', 50, false],
    ['administrator', ADMIN, true],
  ] as const)
    for (const scope of [
      '',
      ...SCOPES.filter((one) => one !== 'api' && (admin || !/sudo|admin/.test(one))),
    ]) {
      const token = `glpat-matrix-${name}-${scope}`.padEnd(32, 'x');
      const own = scope === '' ? [] : [scope];
      await addToken(api, ids[name] ?? 0, token, admin ? [...new Set([...own, 'admin_mode'])] : own);
      askers.push({ name: `${name} with ${scope || 'no scope'}`, token, level, admin, scope });
    }
  return askers;
}

/** The path of a route with ids of the world; a subject that is a parameter is in the query. */
export function pathOf({ path, rule, method }: RouteDescription): string {
  const subject = rule?.project !== undefined ? HERE.project : rule?.group !== undefined ? HERE.group : null;
  const from = rule?.from ?? 'id';
  const full = path.replace(/[:*](\w+)/g, (_all, name: string) => {
    if (subject !== null && name === from) return String(subject);
    if (name === 'id' && path.startsWith('/api/v4/projects/')) return String(HERE.project);
    if (name === 'id' && path.startsWith('/api/v4/groups/')) return String(HERE.group);
    return String(
      partOf(path, name)?.here ?? (/user/.test(name) || path.includes('/users/:id') ? HERE.user : 1),
    );
  });
  const isInPath = subject === null || path.split('/').includes(`:${from}`);
  const named = rule?.byPath ? (rule.project !== undefined ? 'here/p' : 'here') : subject;
  return isInPath || !isRead(method) ? full : `${full}?${from}=${named ?? ''}`;
}

/** Facts about the features of the project and group: whether they are only for members. */
export interface Place {
  readonly visibility: 'private' | 'public';
  readonly membersOnly: boolean;
}

/** Whether the declaration of the route admits the caller; the handler may check more. */
export function isAdmitted(rule: AccessRule, method: string, asker: Asker, place: Place): boolean {
  if (asker.token === null && rule.anyone !== true) return false;
  if (asker.token !== null && !reaches(rule, method, asker.scope ?? '')) return false;
  if (rule.admin) return asker.admin;
  const needed: number | undefined = rule.project ?? rule.group;
  if (needed === undefined) return true;
  if (place.visibility === 'private' && asker.level === 0) return false;
  if (rule.feature !== undefined && place.membersOnly && asker.level === 0) return false;
  return asker.level >= needed || (rule.publicRead === true && place.visibility === 'public');
}

/** Whether a scope includes a route, according to its documentation. */
function reaches(rule: AccessRule, method: string, scope: string): boolean {
  if (rule.anyScope || scope === 'api') return true;
  if (scope === 'read_api') return isRead(method);
  const isNamed = (rule.scopes ?? []).some((one) => one === scope);
  return isNamed && (isRead(method) || !scope.startsWith('read_'));
}
