import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { definedJobs } from '#kernel/queue/job-definition.js';
import { startApi, type TestApi } from '../../../support/api.js';

/** The minimum for which each job has to be started; foreign keys are not checked here. */
const WORK: Readonly<Record<string, readonly string[]>> = {
  'bulk-imports.watch': [
    `insert into bulk_imports (user_id, source_url, source_version, status) values (1, 'http://far', '16', 'created')`,
    `insert into bulk_import_entities (bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace, status)
     values (1, 'group_entity', 'a', 'a', '', 'started')`,
  ],
  'storage-moves.watch': [
    `insert into storage_moves (owner_type, owner_id, source_storage, destination_storage, state) values ('Project', 9, 'a', 'b', 'replicated')`,
    `update namespaces set repository_read_only = true where id = (select min(id) from namespaces)`,
  ],
  'repositories.keep-commits': [
    `insert into named_commits (project_id, sha) values (9, repeat('a', 40))`,
    `insert into repositories (owner_type, owner_id, kind) values ('Project', 9, 'code')`,
  ],
  'objects.remove': [
    `insert into object_claims (object_key, due_at) values ('k', now() - interval '1 second')`,
  ],
  'ci.watch_jobs': [
    job(`kind, status`, `'build', 'running'`),
    job(`kind, status, scheduled_at`, `'build', 'scheduled', now()`),
    job(`kind, status, resource_group`, `'build', 'waiting_for_resource', 'one'`),
    job(`kind, status`, `'bridge', 'running'`),
    job(`kind, status`, `'bridge', 'pending'`),
    `insert into ci_pending_jobs (job_id, project_id, protected, tag_list) values (9, 9, false, '{}')`,
    `insert into ci_trace_chunks (job_id, start, data) values (9, 0, 'x')`,
  ],
  'repositories.recover_pushes': [
    `insert into running_pushes (id, repository_id, heartbeat_at) values (gen_random_uuid(), 9, now() - interval '61 seconds')`,
  ],
  'issuables.fold-tallies': ['issue', 'merge_request'].map(
    (of) => `insert into ${of}_tallies (kind, subject_id, project_id, count) values ('author', 9, 9, 1)`,
  ),
  'merge_requests.recover_locked': [
    `insert into merge_requests (project_id, iid, source_branch, target_branch, title, state, locked_at)
     values (9, 9, 'a', 'b', 't', 'locked', now())`,
  ],
  'error-tracking.group': [
    `insert into error_tracking_events (project_id, event_id, occurred_at, payload) values (9, gen_random_uuid(), now(), '{}')`,
  ],
  'artifacts.remove_expired': [
    `insert into ci_job_artifacts (project_id, job_id, file_type, filename, size, sha256, object_key, expire_at)
     values (9, 9, 'archive', 'a.zip', 1, 'x', 'k', now() - interval '1 second')`,
  ],
  'environments.stop_due': [
    `insert into environments (project_id, name, slug, tier, auto_stop_at) values (9, 'a', 'a', 'other', now() - interval '1 second')`,
  ],
  'ci.unlock_unkept': [
    `insert into ci_pipelines (project_id, iid, ref, sha, source, locked) values (9, 9, 'main', repeat('a', 40), 'push', true)`,
  ],
  'database.run-backfills': [`insert into backfills (name) values ('test.of-schedules')`],
  'repositories.mark': [
    `insert into repositories (owner_type, owner_id, kind, identity) values ('Project', 9, 'wiki', null)`,
  ],
};

function job(columns: string, values: string): string {
  return `insert into ci_jobs (project_id, pipeline_id, name, stage, stage_index, ref, ${columns})
    values (9, 9, 'a', 'test', 0, 'main', ${values})`;
}

/** More often than once an hour. */
const isFrequent = (cron: string): boolean => !/^\d+ /.test(cron);

describe('schedules of an idle service', () => {
  let api: TestApi;
  let client: pg.Client;
  const conditions = new Map<string, string>();
  beforeAll(async () => {
    api = await startApi();
    client = new pg.Client({ connectionString: api.databaseUrl });
    await client.connect();
    // Jobs that only tests define write to no tables of the product.
    for (const { name, schedule } of definedJobs())
      if (schedule?.when !== undefined && !name.startsWith('test.')) conditions.set(name, schedule.when);
  });
  afterAll(async () => {
    await client.end();
    await api.close();
  });

  const holds = async (name: string): Promise<boolean | undefined> =>
    (await client.query<{ holds: boolean }>(`select (${conditions.get(name) ?? ''}) as holds`)).rows[0]
      ?.holds;

  it('check for work first if they tick more often than once an hour', () => {
    const frequent = definedJobs().filter(
      ({ name, schedule }) => schedule && isFrequent(schedule.cron) && !name.startsWith('test.'),
    );
    expect(frequent.map(({ name }) => name).sort()).toEqual([...conditions.keys()].sort());
    expect(Object.keys(WORK).sort()).toEqual([...conditions.keys()].sort());
  });

  it.each(Object.entries(WORK))('%s sleeps until there is work', async (name, works) => {
    expect(await holds(name)).toBe(false);
    for (const work of works) {
      await client.query('begin');
      try {
        await client.query('set local session_replication_role = replica');
        expect((await client.query(work)).rowCount).toBe(1);
        expect([work, await holds(name)]).toEqual([work, true]);
      } finally {
        await client.query('rollback');
      }
    }
  });
});
