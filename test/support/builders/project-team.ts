import { randomBytes } from 'node:crypto';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';

/** Roles that a team has one member of, with the numbers of v4. */
const ROLES = { guest: 10, reporter: 20, developer: 30, maintainer: 40 } as const;

/** A project with a client for every role in it, and one for a user without a role. */
export interface ProjectTeam {
  readonly projectId: number;
  readonly path: string;
  readonly guest: ApiClient;
  readonly reporter: ApiClient;
  readonly developer: ApiClient;
  readonly maintainer: ApiClient;
  readonly stranger: ApiClient;
}

/** Inserts a project below `root` with its team, by SQL. */
export async function buildProjectTeam(
  api: TestApi,
  visibility: 'private' | 'internal' | 'public' = 'private',
): Promise<ProjectTeam> {
  const path = `p${randomBytes(4).toString('hex')}`;
  const [project] = await api.sql<{ id: number }>(
    `insert into projects (namespace_id, creator_id, name, path, full_path, full_name, visibility)
     values (1, 1, $1, $1, 'root/' || $1, 'Administrator / ' || $1, $2) returning id`,
    [path, visibility],
  );
  const projectId = project?.id ?? 0;
  await api.sql(`insert into routes (path, source_type, source_id) values ('root/' || $1, 'Project', $2)`, [
    path,
    projectId,
  ]);
  const member = async (role: keyof typeof ROLES | null): Promise<ApiClient> => {
    const { id, token } = await insertUser(api);
    if (role !== null) {
      await api.sql(
        `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, $2, $3)`,
        [projectId, id, ROLES[role]],
      );
    }
    return api.as(token);
  };
  return {
    projectId,
    path: `root/${path}`,
    guest: await member('guest'),
    reporter: await member('reporter'),
    developer: await member('developer'),
    maintainer: await member('maintainer'),
    stranger: await member(null),
  };
}

async function insertUser(api: TestApi): Promise<{ id: number; token: string }> {
  const name = `u${randomBytes(5).toString('hex')}`;
  const [user] = await api.sql<{ id: number }>(
    `insert into users (username, name, email, confirmed_at) values ($1, $1, $1 || '@example.com', now()) returning id`,
    [name],
  );
  const id = user?.id ?? 0;
  const token = `glpat-${randomBytes(16).toString('hex')}`;
  await api.sql(
    `insert into personal_access_tokens (user_id, name, digest, scopes) values ($1, 'test', $2, '{api}')`,
    [id, digestToken(token)],
  );
  return { id, token };
}
