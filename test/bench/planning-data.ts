import type pg from 'pg';
import { createWorld, type Dataset } from './dataset.js';

/** Users whom an issue has had to do with, and the issues with many and with few of them. */
export interface Crowds {
  readonly projectId: number;
  readonly many: number;
  readonly few: number;
}

const LABELS = 10;

/** One of the five assignees of the work in a project. */
export const assigneeOf = (project: number, number: number): number => 100 + ((project * 5 + (number % 5)) % 200);

/** The same in SQL, by the number of an issue or a merge request. */
const ASSIGNEE = '100 + (project_id * 5 + iid % 5) % 200';

/**
 * The author of number `i` in the project `p`: every author already has a share of 10,000 rows, so that lists
 * of persons are never compared with empty ones.
 */
const AUTHOR = '100 + (p * 25 + i) % 200';

/** Users, groups and projects as for deployments, with labels and milestones. */
export async function createPlanningWorld(client: pg.Client): Promise<Dataset> {
  const world = await createWorld(client);
  await client.query(
    `insert into labels (project_id, title, color) select p.id, 'label ' || i, '#428BCA' from projects p, generate_series(1, $1::int) i`,
    [LABELS],
  );
  await client.query(
    `insert into milestones (project_id, iid, title, due_date) select p.id, i, 'milestone ' || i, current_date + i from projects p, generate_series(1, 4) i`,
  );
  return world;
}

/**
 * Fills tables like a restored copy: without checking foreign keys or waiting for the disk, and with indexes
 * built afterwards.
 */
export async function copying(client: pg.Client, tables: readonly string[], fill: () => Promise<void>): Promise<void> {
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'`);
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public' and tablename = any($1)
     and not exists (select from pg_constraint where conname = indexname)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  for (const table of tables) await client.query(`alter table ${table} disable trigger all; alter table ${table} enable trigger user`);
  await fill();
  for (const table of tables) await client.query(`alter table ${table} enable trigger all`);
  for (const { definition } of rows) await client.query(definition);
  await client.query('reset all');
}

/** Adds issues and merge requests with two labels and an assignee each, the newest last, to each of the projects. */
export async function addPlanning(client: pg.Client, projects: readonly number[], perProject: number): Promise<void> {
  await client.query('begin');
  const common = `first.iid + i, ${AUTHOR}, (array['search', 'login', 'prices', 'basket'])[1 + i % 4] || ' ' || i, 'Some words on it, as many as people write on the first day.',
       (select id from milestones where project_id = p order by id offset i % 4 limit 1), now() - ((300000 - i) || ' minutes')::interval, now() - ((300000 - i) || ' minutes')::interval`;
  const first = (table: string): string =>
    `unnest($1::bigint[]) p, lateral (select coalesce(max(iid), 0) as iid from ${table} where project_id = p) first, generate_series(1, $2::int) i`;
  await client.query(
    `insert into issues (project_id, iid, author_id, title, description, milestone_id, created_at, updated_at, state, confidential, relative_position)
     select p, ${common}, case when i % 3 = 0 then 'closed' else 'opened' end, i % 20 = 0, i * 500 from ${first('issues')}`,
    [projects, perProject],
  );
  await client.query(
    `insert into merge_requests (project_id, source_project_id, source_branch, target_branch, iid, author_id, title, description, milestone_id, created_at, updated_at, state)
     select p, p, 'branch-' || (first.iid + i), 'main', ${common}, (array['opened', 'merged', 'closed'])[1 + i % 3] from ${first('merge_requests')}`,
    [projects, perProject],
  );
  for (const [table, key] of [['issue', 'issue_id'], ['merge_request', 'merge_request_id']] as const) {
    await client.query(
      `insert into ${table}_labels (${key}, label_id) select x.id, l.id from ${table}s x, lateral (
         select id from labels where project_id = x.project_id order by id offset x.iid % 9 limit 2) l on conflict do nothing`,
    );
    await client.query(`insert into ${table}_assignees (${key}, user_id) select id, ${ASSIGNEE} from ${table}s on conflict do nothing`);
    // Only issues have those counted that are open.
    const open = table === 'issue' ? `count(*) filter (where state = 'opened')` : '0';
    await client.query(
      `insert into internal_ids (project_id, usage, last_value, live_count, open_count)
       select project_id, '${table}s', max(iid), count(*), ${open} from ${table}s group by project_id
       on conflict (project_id, usage) do update set last_value = excluded.last_value, live_count = excluded.live_count, open_count = excluded.open_count`,
    );
  }
  await client.query('commit');
}

/** An epic in each group, with 50 issues of its projects. */
export async function addEpics(client: pg.Client): Promise<void> {
  await client.query(`insert into epics (group_id, iid, author_id, title) select id, 1, 100, 'Epic' from namespaces where type = 'Group'`);
  await client.query(
    `insert into epic_issues (epic_id, issue_id, relative_position)
     select e.id, i.id, i.place * 500 from epics e cross join lateral (
       select i.id, row_number() over (order by i.id) as place from issues i join projects p on p.id = i.project_id
       where p.namespace_id = e.group_id and not i.confidential limit 50) i`,
  );
}

/** Adds `perProject` activity events to each of the projects: issues opened and closed (kinds 33 and 35), pushes to a branch (21). */
export async function addEvents(client: pg.Client, projects: readonly number[], perProject: number): Promise<void> {
  await client.query(
    `insert into events (project_id, author_id, kind, target_id, target_iid, subject_id, payload, created_at)
     select p, ${AUTHOR}, case when x.id is null or i % 3 = 0 then 21 when i % 3 = 1 then 33 else 35 end,
       case when i % 3 <> 0 then x.id end, case when i % 3 <> 0 then x.iid end, case when i % 3 <> 0 then x.id end,
       case when x.id is null or i % 3 = 0 then '{"commit_count":1,"action":"pushed","ref_type":"branch","commit_from":null,"commit_to":null,"ref":"main","commit_title":"Words","ref_count":null}'::jsonb end,
       now() - (($2 - i) || ' minutes')::interval / 20
     from generate_series(1, $2::int) i cross join unnest($1::bigint[]) p left join issues x on x.project_id = p and x.iid = 1 + i % 25`,
    [projects, perProject],
  );
}

/** An issue with comments of 5,000 users, and one with 5. */
export async function addCrowds(client: pg.Client, projectId: number): Promise<Crowds> {
  await client.query(
    `insert into users (id, username, name, email, confirmed_at)
     select i, 'crowd' || i, 'Crowd ' || i, 'crowd' || i || '@example.com', now() from generate_series(100000, 104999) i`,
  );
  await client.query(
    `insert into members (source_type, source_id, user_id, access_level) select 'Project', $1, i, 20 from generate_series(100000, 104999) i`,
    [projectId],
  );
  const { rows } = await client.query<{ id: number; iid: number }>('select id, iid from issues where project_id = $1 and not confidential order by id limit 2', [projectId]);
  for (const [at, people] of [5000, 5].entries()) {
    await client.query(
      `insert into notes (noteable_type, noteable_id, project_id, author_id, discussion_id, body)
       select 'Issue', $1::bigint, $2, i, md5($1::text || '-' || i), 'A word' from generate_series(100000, 99999 + $3::int) i`,
      [rows[at]?.id, projectId, people],
    );
  }
  return { projectId, many: rows[0]?.iid ?? 0, few: rows[1]?.iid ?? 0 };
}
