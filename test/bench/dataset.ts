import type pg from 'pg';
import { digestToken } from '#kernel/crypto/tokens.js';

/**
 * Choices of the load: every user has a token and Reporter or more in the groups that contain the projects.
 */
export interface Dataset {
  readonly tokens: readonly string[];
  /** Projects with a small table of deployments each. */
  readonly projects: readonly number[];
  /** A project with 20,000 deployments. */
  readonly bigProject: number;
}

const USERS = 200;
const GROUPS = 20;
const PROJECTS = 400;

/** Fills the nouns around deployments. */
export async function createWorld(client: pg.Client): Promise<Dataset> {
  const tokens = Array.from({ length: USERS }, (_, index) => `glpat-bench-token-number-${index + 100}`);
  await client.query(
    `insert into users (id, username, name, email, confirmed_at)
     select i, 'bench' || i, 'Bench ' || i, 'bench' || i || '@example.com', now() from generate_series(100, 99 + $1::int) i`,
    [USERS],
  );
  for (const [index, token] of tokens.entries()) {
    await client.query(
      `insert into personal_access_tokens (user_id, name, digest, scopes, last_used_at) values ($1, 'bench', $2, '{api}', now() + interval '1 day')`,
      [100 + index, digestToken(token)],
    );
  }
  await client.query(
    `insert into namespaces (id, type, name, path, full_path, full_name, traversal_ids)
     select i, 'Group', 'group ' || i, 'group-' || i, 'group-' || i, 'group ' || i, array[i]::bigint[] from generate_series(1000, 999 + $1::int) i`,
    [GROUPS],
  );
  await client.query(
    `insert into members (source_type, source_id, user_id, access_level)
     select 'Namespace', g, u, 30 from generate_series(1000, 999 + $1::int) g, generate_series(100, 99 + $2::int) u`,
    [GROUPS, USERS],
  );
  await client.query(
    `insert into projects (id, namespace_id, creator_id, name, path, full_path, full_name)
     select i, 1000 + i % $1, 100, 'project ' || i, 'project-' || i, 'group-' || (1000 + i % $1) || '/project-' || i,
       'group ' || (1000 + i % $1) || ' / project ' || i from generate_series(5000, 4999 + $2::int) i`,
    [GROUPS, PROJECTS],
  );
  await client.query(
    `insert into routes (path, source_type, source_id) select full_path, 'Project', id from projects
     union all select full_path, 'Namespace', id from namespaces where type = 'Group'`,
  );
  await client.query(
    `insert into environments (project_id, name, slug, tier) select p.id, e, e, 'other' from projects p, unnest(array['production', 'staging', 'qa', 'demo']) e`,
  );
  const projects = Array.from({ length: PROJECTS - 1 }, (_, index) => 5000 + index);
  const bigProject = 4999 + PROJECTS;
  await addDeployments(client, projects, 25);
  return { tokens, projects, bigProject };
}

/** Adds `perProject` deployments to each of the projects, spread over environments, states and months. */
export async function addDeployments(client: pg.Client, projects: readonly number[], perProject: number): Promise<void> {
  await client.query('begin');
  // Requests of the previous round may still run: each keeps its number, and the next ones wait.
  await client.query('lock table internal_ids in share row exclusive mode');
  await client.query(
    `insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at, created_at, updated_at)
     select p, (select id from environments where project_id = p order by id offset i % 4 limit 1), first.iid + i, 100 + i % 200, 'main', md5(i::text) || '01234567', false,
       (array['success', 'failed', 'running', 'canceled'])[1 + (i / 4) % 4], now() - (i || ' minutes')::interval, now() - (i || ' minutes')::interval, now() - (i || ' minutes')::interval
     from unnest($1::bigint[]) p, lateral (select coalesce(max(iid), 0) as iid from deployments where project_id = p) first, generate_series(1, $2::int) i`,
    [projects, perProject],
  );
  await client.query(
    `insert into internal_ids (project_id, usage, last_value, live_count)
     select project_id, 'deployments', max(iid), count(*) from deployments group by project_id
     on conflict (project_id, usage) do update set last_value = excluded.last_value, live_count = excluded.live_count`,
  );
  await client.query('commit');
  await client.query('vacuum analyze');
}
