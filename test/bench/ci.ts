import { join } from 'node:path';
import pg from 'pg';
import { digestToken } from '#kernel/crypto/tokens.js';
import { makeRepository, runGit } from './git-world.js';
import type { GitBench } from './git.js';
import type { Report } from './report.js';
import { startProduct, type Server } from './servers.js';

const ROOT = 'glpat-bench-root-token-01';
const BUSY = 'glrt-bench-runner-that-works';
const IDLE = 'glrt-bench-runner-that-waits';
const PROJECTS = 100;
const PENDING = 10_000;

const DEFINITION = {
  ...{ beforeScript: [], script: ['echo'], afterScript: [], image: null, services: [], variables: [], artifacts: null, cache: [] },
  ...{ needs: null, dependencies: null, environment: null, allowFailureExitCodes: null, retry: { max: 0, when: [] }, timeout: null },
  ...{ startIn: null, coverage: null, interruptible: false, resourceGroup: null, parallel: null, preGetSourcesScript: [], trigger: null },
  manualConfirmation: null,
};

/** Runners that request jobs while 10,000 wait: one that gets them, and one for which there are none. */
export async function measureCi(report: Report, { folder, databaseUrl, isQuick }: GitBench): Promise<void> {
  const storages = `default=${join(folder, 'ci-storage')}`;
  const product = await startProduct({
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    REPOSITORY_STORAGES: storages,
    SECRETS_KEY: 'a key of the benchmark that is long enough',
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await createQueue(product, client, folder);
    await ask(product, IDLE, 50);
    report.add('runners', { what: `a runner without a fitting job, ${PENDING} waiting`, ...(await ask(product, IDLE, isQuick ? 500 : 3_000)) });
    const count = isQuick ? 500 : 3_000;
    await ask(product, BUSY, 50);
    report.add('runners', { what: `a runner that gets a job, ${PENDING} waiting, one at a time`, ...(await ask(product, BUSY, count)) });
    const began = performance.now();
    const each = await Promise.all(Array.from({ length: 20 }, () => ask(product, BUSY, count / 20)));
    const seconds = (performance.now() - began) / 1000;
    const p99 = Math.max(...each.map((one) => one.p99));
    report.add('runners', { what: '20 runners at once', jobsPerSecond: Math.round(count / seconds), p99 });
    const twice = await client.query('select count(*)::int as count from ci_pending_jobs q join ci_jobs j on j.id = q.job_id where j.status <> $1', ['pending']);
    report.add('runners', { what: 'jobs that run and still wait', count: (twice.rows[0] as { count: number }).count });
  } finally {
    await client.end();
    await product.stop();
  }
}

/** Asks for jobs one after the other; milliseconds. */
async function ask(product: Server, token: string, count: number): Promise<{ p50: number; p99: number; jobs: number }> {
  const times: number[] = [];
  let jobs = 0;
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    const answer = await fetch(`${product.url}/api/v4/jobs/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ token, info: { executor: 'shell', features: { multi_build_steps: true } } }),
    });
    await answer.text();
    times.push(performance.now() - began);
    if (answer.status === 201) jobs += 1;
    else if (answer.status !== 204) throw new Error(`A runner was refused: ${answer.status}`);
  }
  times.sort((one, other) => one - other);
  const at = (share: number): number => Math.round((times[Math.floor(times.length * share)] ?? 0) * 100) / 100;
  return { p50: at(0.5), p99: at(0.99), jobs };
}

/** A project with a repository, a hundred more, and the jobs of many pipelines; two runners of the instance. */
async function createQueue(product: Server, client: pg.Client, folder: string): Promise<void> {
  const ids: number[] = [];
  const source = join(folder, 'ci.git');
  makeRepository(source, 10);
  for (let number = 0; number < PROJECTS; number += 1) {
    const answer = await fetch(`${product.url}/api/v4/projects`, {
      method: 'POST',
      headers: { 'private-token': ROOT, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `ci-${number}` }),
    });
    const project = (await answer.json()) as { id: number; path_with_namespace: string };
    ids.push(project.id);
    const url = `${product.url.replace('//', `//root:${ROOT}@`)}/${project.path_with_namespace}.git`;
    runGit(['--git-dir', source, 'push', '--quiet', url, 'main']);
  }
  const head = await fetch(`${product.url}/api/v4/projects/${ids[0]}/repository/commits/main`, { headers: { 'private-token': ROOT } });
  const { id: sha } = (await head.json()) as { id: string };
  for (const [token, tags] of [[BUSY, []], [IDLE, ['nobody-asks-for-this']]] as const) {
    await client.query(
      `insert into ci_runners (runner_type, token_digest, description, tag_list, run_untagged) values ('instance_type', $1, 'bench', $2, $3)`,
      [digestToken(token), tags, tags.length === 0],
    );
  }
  await client.query(
    `with made as (insert into ci_pipelines (project_id, iid, ref, sha, source, status, user_id)
       select p, 1000 + n, 'main', $2, 'push', 'pending', 1 from unnest($1::bigint[]) p, generate_series(1, 10) n returning id, project_id),
     jobs as (insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, tag_list, queued_at)
       select project_id, id, 'build', 'job ' || n, 'test', 0, 'pending', 1, 'main', case when n = 1 then '{special}'::text[] else '{}' end, now()
       from made, generate_series(1, $3::int) n returning id, project_id, tag_list),
     defined as (insert into ci_job_definitions (job_id, definition) select id, $4::jsonb from jobs)
     insert into ci_pending_jobs (job_id, project_id, protected, tag_list) select id, project_id, false, tag_list from jobs`,
    [ids, sha, PENDING / PROJECTS / 10, JSON.stringify(DEFINITION)],
  );
  await client.query('vacuum analyze');
}
