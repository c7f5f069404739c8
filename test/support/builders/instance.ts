import { randomBytes } from 'node:crypto';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { TestApi } from '../api.js';

/** A directly inserted user with a token, for tests of layers below the users. */
export interface AddedUser {
  readonly id: number;
  readonly username: string;
  readonly token: string;
}

/** Adds a user with a personal access token of the given scopes. */
export async function addUser(
  api: TestApi,
  username: string,
  scopes: readonly string[] = ['api'],
): Promise<AddedUser> {
  const token = `glpat-${randomBytes(12).toString('hex')}`;
  const [row] = await api.sql<{ id: number }>(
    `insert into users (username, name, email, confirmed_at) values ($1, $1, $1 || '@example.com', now()) returning id`,
    [username],
  );
  const id = row?.id ?? 0;
  await addToken(api, id, token, scopes);
  return { id, username, token };
}

/** Adds a token for a user. */
export async function addToken(
  api: TestApi,
  userId: number,
  token: string,
  scopes: readonly string[],
): Promise<void> {
  await api.sql(
    `insert into personal_access_tokens (user_id, name, digest, scopes) values ($1, 'test', $2, $3)`,
    [userId, digestToken(token), scopes],
  );
}

/** Adds a group. @returns its id */
export async function addGroup(api: TestApi, path: string, visibility = 'private'): Promise<number> {
  const [row] = await api.sql<{ id: number }>(
    `insert into namespaces (type, name, path, full_path, full_name, traversal_ids, visibility)
     values ('Group', $1, $1, $1, $1, '{}', $2) returning id`,
    [path, visibility],
  );
  const id = row?.id ?? 0;
  await api.sql(`update namespaces set traversal_ids = array[id] where id = $1`, [id]);
  await api.sql(`insert into routes (path, source_type, source_id) values (lower($1), 'Namespace', $2)`, [
    path,
    id,
  ]);
  return id;
}

/** Adds a project to a group. @returns its id */
export async function addProject(api: TestApi, groupId: number, fullPath: string): Promise<number> {
  const path = fullPath.split('/').at(-1) ?? fullPath;
  const [row] = await api.sql<{ id: number }>(
    `insert into projects (namespace_id, name, path, full_path, full_name, visibility)
     values ($1, $2, $2, $3, $3, 'private') returning id`,
    [groupId, path, fullPath],
  );
  const id = row?.id ?? 0;
  await api.sql(`insert into routes (path, source_type, source_id) values (lower($1), 'Project', $2)`, [
    fullPath,
    id,
  ]);
  return id;
}

/** Makes a user a member. */
export async function addMember(
  api: TestApi,
  sourceType: 'Project' | 'Namespace',
  sourceId: number,
  userId: number,
  accessLevel: number,
): Promise<void> {
  await api.sql(
    'insert into members (source_type, source_id, user_id, access_level) values ($1, $2, $3, $4)',
    [sourceType, sourceId, userId, accessLevel],
  );
}

/** Audit events of changes of one type of target, oldest first. */
export async function auditChanges(api: TestApi, targetType: string): Promise<Record<string, unknown>[]> {
  const rows = await api.sql<{ details: Record<string, unknown> }>(
    `select details from audit_events where details->>'target_type' = $1 order by id`,
    [targetType],
  );
  return rows.map(({ details }) => {
    const told = ['change', 'from', 'to', 'add', 'remove', 'author_name'];
    return Object.fromEntries(Object.entries(details).filter(([name]) => told.includes(name)));
  });
}
