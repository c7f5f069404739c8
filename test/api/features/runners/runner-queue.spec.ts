import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PLANNER_OPTIONS } from '#kernel/database/reads/read-database.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { CANDIDATES, pickingValues, TAKE, type PickingRunner } from '#core/ci/runners/picking.sql.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildJob, buildPipeline } from '../../../support/builders/ci.js';
import { buildProject } from '../../../support/builders/project.js';
import { registerRunner, requestJob } from '../../../support/builders/runner.js';
import { RowsRead } from '../../../support/rows-read.js';

/** Waiting jobs of one project; none of them is ever taken here. */
const WAIT = `insert into ci_pending_jobs (job_id, project_id, protected, tag_list)
  select 1000000 * $1::bigint + n, $1, false, $2::text[] from generate_series(1, $3::int) n`;

const MANY = 20_000;

/** A runner of the instance that takes untagged jobs. */
const UNTAGGED: PickingRunner = {
  id: 1,
  type: 'instance_type',
  tags: [],
  runUntagged: true,
  onlyProtected: false,
  maximumTimeout: null,
};

describe('a long queue', () => {
  let api: TestApi;
  let queue: pg.Client;
  const projects: number[] = [];

  /** Adds rows whose jobs do not exist. */
  const wait = async (projectId: number, tags: readonly string[], count: number): Promise<void> => {
    await queue.query(`set session_replication_role = replica`);
    await queue.query(WAIT, [projectId, tags, count]);
    await queue.query(`set session_replication_role = origin`);
  };

  /** Rows of the queue that a prepared statement reads. */
  const read = async (statement: string): Promise<number> => {
    const rows = new RowsRead(queue, 'ci_pending_jobs');
    await rows.query(`execute ${statement}`, []);
    return rows.count;
  };

  beforeAll(async () => {
    api = await startApi();
    queue = new pg.Client({ connectionString: utcUrl(api.databaseUrl, PLANNER_OPTIONS) });
    await queue.connect();
    for (let index = 0; index < 3; index += 1) projects.push((await buildProject(api.root)).id);
  });
  afterAll(async () => {
    await queue.end();
    await api.close();
  });

  it('is not read as a whole for the next job', async () => {
    const ask = { name: 'pick', text: CANDIDATES[UNTAGGED.type], values: pickingValues(1, UNTAGGED, 0) };
    // The plan is made while the queue is empty.
    expect((await queue.query(ask)).rows).toEqual([]);
    for (const id of projects) await wait(id, [], MANY);
    expect((await queue.query<{ id: number }>(ask)).rows.map(({ id }) => id)).toEqual(projects);
    expect(await read(`pick(1, '{}', true, false, 0)`)).toBeLessThan(20);
  });

  it('is not read for jobs of other tags, nor to take the one that fits', async () => {
    await queue.query('delete from ci_pending_jobs');
    const [crowded = 0] = projects;
    await wait(crowded, ['gpu'], MANY);
    await queue.query('set session_replication_role = replica');
    await queue.query('insert into ci_runner_projects (runner_id, project_id) values (1, $1)', [crowded]);
    await queue.query('set session_replication_role = origin');
    const runner = { id: 1, tags: ['fast'], runUntagged: true, onlyProtected: false, maximumTimeout: null };
    for (const type of ['instance_type', 'project_type'] as const) {
      const values = pickingValues(1, { ...runner, type }, 0);
      expect((await queue.query({ name: `of_${type}`, text: CANDIDATES[type], values })).rows).toEqual([]);
      expect(await read(`of_${type}(1, '{fast}', true, false, 0)`)).toBeLessThan(20);
    }
    // The newest of all, behind those of other tags.
    await queue.query('set session_replication_role = replica');
    await queue.query(
      `insert into ci_pending_jobs (job_id, project_id, protected, tag_list) values (9000000000000, $1, false, '{fast}')`,
      [crowded],
    );
    await queue.query('set session_replication_role = origin');
    const values = [
      ...pickingValues(crowded, { ...runner, type: 'instance_type' }, 0),
      1,
      Buffer.alloc(32),
      60,
      60,
      5,
    ];
    await queue.query('begin');
    const { rows } = await queue.query<{ jobId: number | string }>({ name: 'take', text: TAKE, values });
    await queue.query('rollback');
    expect(rows.map(({ jobId }) => Number(jobId))).toEqual([9_000_000_000_000]);
    expect(await read(`take(${crowded}, '{fast}', true, false, 0, 1, '\\x00', 60, 60, 5)`)).toBeLessThan(20);
  });

  it.each(['force_custom_plan', 'force_generic_plan'])(
    'is not read as a whole once it is analyzed: %s',
    async (mode) => {
      await queue.query('delete from ci_pending_jobs');
      const [crowded = 0] = projects;
      await wait(crowded, [], MANY);
      await queue.query('analyze ci_pending_jobs');
      const types = 'bigint, text[], boolean, boolean, float8, bigint, bytea, integer, integer, bigint';
      await queue.query(`set plan_cache_mode = ${mode}; prepare analyzed (${types}) as ${TAKE}`);
      const count = await read(`analyzed(${crowded}, '{}', true, false, 0, 1, '\\x00', 60, 60, 5)`);
      await queue.query('deallocate analyzed; set plan_cache_mode = force_generic_plan');
      expect(count).toBeLessThan(100);
    },
  );

  it('costs no reading of all running jobs, though hardly a job ran when they were analyzed', async () => {
    const [own = 0, other = 0] = projects;
    await queue.query('delete from ci_pending_jobs; set session_replication_role = replica');
    await queue.query('alter table ci_jobs set (autovacuum_enabled = false)');
    const run = `insert into ci_jobs (pipeline_id, stage_index, project_id, ref, name, kind, stage, status)
      select 1, 0, $1, 'main', 'job', 'build', 'test', $2 from generate_series(1, $3::int)`;
    await queue.query(run, [other, 'success', MANY]);
    await queue.query('analyze ci_jobs');
    await queue.query(run, [other, 'running', 1_000]);
    await queue.query('set session_replication_role = origin');
    await wait(own, [], 1);
    const jobs = new RowsRead(queue, 'ci_jobs');
    await jobs.query(CANDIDATES.instance_type, pickingValues(1, UNTAGGED, 0));
    await queue.query('begin');
    await jobs.query(TAKE, [...pickingValues(own, UNTAGGED, 0), 1, Buffer.alloc(32), 60, 60, 5]);
    await queue.query('rollback');
    await queue.query('delete from ci_jobs where pipeline_id = 1');
    expect(jobs.count).toBeLessThan(10);
  });

  it('of more than a thousand projects is not read as a whole while jobs fit, and all get their turn', async () => {
    await queue.query('delete from ci_pending_jobs');
    await api.sql(
      `insert into projects (namespace_id, name, path, full_path, full_name)
       select namespace_id, format('busy %s', n), format('busy-%s', n), format('busy/%s', n), format('Busy / %s', n)
       from projects, generate_series(1, 2500) n where id = $1`,
      [projects[0]],
    );
    await queue.query(`set session_replication_role = replica`);
    await queue.query(`insert into ci_pending_jobs (job_id, project_id, protected, tag_list)
      select 1000000 * p.id + n, p.id, false, '{}' from projects p, generate_series(1, 20) n where p.full_path like 'busy/%'`);
    await queue.query(`set session_replication_role = origin`);
    const first = new Set<number | undefined>();
    for (let turn = 0; turn < 20; turn += 1) {
      await queue.query('select setseed($1)', [turn / 20]);
      const { rows } = await queue.query<{ id: number }>(`execute pick(1, '{}', true, false, 0)`);
      first.add(rows[0]?.id);
    }
    expect(first.size).toBeGreaterThan(5);
    expect(await read(`pick(1, '{}', true, false, 0)`)).toBeLessThan(5_000);
  });

  it.each(['instance', 'group'] as const)(
    'of more than a thousand projects gives the one job that fits a runner: %s',
    async (place) => {
      await queue.query('delete from ci_pending_jobs');
      const group = await api.root.post<{ id: number }>('/groups', {
        name: `Crowd ${place}`,
        path: `crowd-${place}`,
      });
      const fitting = [
        await buildProject(api.root, { namespace_id: group.body.id }),
        await buildProject(api.root, { namespace_id: group.body.id }),
      ];
      const others = await api.sql<{ id: string }>(
        `insert into projects (namespace_id, name, path, full_path, full_name)
        select $1, format('other %s', n), format('other-%s', n), format('crowd-%s/other-%s', $2::text, n), format('Crowd / other %s', n)
        from generate_series(1, 1100) n returning id`,
        [group.body.id, place],
      );
      for (const { id } of others) await wait(Number(id), ['other'], 1);
      const at = place === 'instance' ? place : { group: group.body.id };
      const runner = await registerRunner(api, at, { tag_list: ['fast'], run_untagged: false });
      expect((await requestJob(api, runner)).status).toBe(204);
      const jobs = [];
      for (const { id } of fitting)
        jobs.push(await buildJob(api, await buildPipeline(api, id), { tagList: ['fast'] }));
      const taken = [await requestJob(api, runner), await requestJob(api, runner)];
      expect(taken.map(({ status }) => status)).toEqual([201, 201]);
      expect(new Set(taken.map(({ body }) => body.id))).toEqual(new Set(jobs.map(({ id }) => id)));
      expect((await requestJob(api, runner)).status).toBe(204);
    },
  );
});
