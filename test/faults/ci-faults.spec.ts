import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkingCopy } from '../support/git.js';
import { gitUrl } from '../support/git-http.js';
import { ASKED_FOR, inParallel, Installation, type Member } from '../support/installation.js';
import { filesBelow } from '../support/object-files.js';
import { freePort, ROOT_TOKEN } from '../support/processes.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { pack } from '../support/runner/archive.js';
import type { RunnerJob } from '../support/runner/job.js';
import { patiently, report, traceOf } from '../support/runner/patience.js';
import { RunnerService } from '../support/runner/service.js';
import { until } from '../support/until.js';

const JOBS = 50;
const RUNNERS = 5;
/** Runners whose api process dies before it can respond. */
const UNANSWERED = 4;

const UNCONDITIONAL = { name: null, paths: [], when: null, expire_in: null };
const ARCHIVE = { ...UNCONDITIONAL, artifact_type: 'archive', artifact_format: 'zip' };

describeWithRedis('processes lost during pipelines and jobs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-ci-faults-'));
  let redis: TestRedis | undefined;
  let installation: Installation;
  let api: Member;
  let work: WorkingCopy;
  let port: string;

  beforeAll(async () => {
    redis = await createTestRedis();
    installation = await Installation.create({ redisUrl: redis?.url });
    work = await new WorkingCopy().init();
    port = String(await freePort());
    api = await start('api');
    await start('worker');
  });
  afterAll(async () => {
    await installation.close();
    work.remove();
    rmSync(folder, { recursive: true, force: true });
    await redis?.drop();
  });

  /** The api process always has the same address: runners find the next one by themselves. */
  const start = (kind: 'api' | 'worker'): Promise<Member> =>
    installation.start(kind, {
      REPOSITORY_STORAGES: `default=${folder}/repositories`,
      OBJECT_STORE_URL: `file://${folder}/objects`,
      ...(kind === 'api' ? { PORT: port } : {}),
    });
  const restartApi = async (): Promise<void> => {
    await api.kill();
    api = await start('api');
  };
  const count = (from: string, ...values: unknown[]): Promise<number> =>
    installation.count(`select count(*) from ${from}`, values);
  const untilBlocked = (): Promise<number> =>
    until(
      async () =>
        (await count(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)) > 0,
    );
  /** Only scheduled jobs are left, and none has failed. */
  const idle = async (): Promise<void> => {
    // Jobs handed over by a lost process are only found after a while.
    await installation.sql(`update background_jobs set lease_until = now() where state = 'handed'`);
    const left = `select name, state, attempt from background_jobs where ${ASKED_FOR}
      and (state <> 'pending' or run_at <= now() or attempt > 0)`;
    await until(async () => (await installation.sql(left)).length === 0, 35_000).catch(async () =>
      expect(await installation.sql(left)).toEqual([]),
    );
  };
  /** Makes a schedule due. */
  const tick = (queue: string, name: string): Promise<object[]> =>
    installation.sql(
      `insert into background_jobs (queue, name, payload, dedupe_key) values ($1, $2, '{}', 'schedule')
       on conflict do nothing`,
      [queue, name],
    );
  /** The files of the object storage that hold artifacts of a project. */
  const objectsOf = (projectId: number): string[] =>
    filesBelow(join(folder, 'objects', 'artifacts', String(projectId)));

  /** A project with these files on `main`. */
  async function project(
    name: string,
    files: Readonly<Record<string, string>>,
  ): Promise<{ id: number; token: string }> {
    const { status, body } = await api.client.post<{ id: number; runners_token: string }>('/projects', {
      name,
    });
    expect(status).toBe(201);
    await work.commit(files);
    await push(name, 'main');
    return { id: body.id, token: body.runners_token };
  }

  async function push(name: string, branch: string): Promise<void> {
    const url = gitUrl(api, `/root/${name}.git`, ['root', ROOT_TOKEN]);
    await work.git('push', '--quiet', url, `main:refs/heads/${branch}`);
  }

  /** The only pipeline of a project, with its jobs waiting. */
  async function pipelineOf({ id }: { id: number }, jobs: number): Promise<number> {
    await until(async () => (await count('ci_pending_jobs where project_id = $1', id)) === jobs, 20_000);
    return installation.count('select id from ci_pipelines where project_id = $1', [id]);
  }

  it('kill -9 of the api with runners: no job is handed out twice, acknowledged updates are done, every trace is complete', async () => {
    const { id, token } = await project('many', {
      '.gitlab-ci.yml': `work:\n  parallel: ${JOBS}\n  script: [echo work]\n`,
    });
    const pipelineId = await pipelineOf({ id }, JOBS);
    const runners = await inParallel(RUNNERS, () => RunnerService.register(api.url, token));
    const statuses = async (): Promise<Record<string, number>> => {
      const rows = await installation.sql<{ status: string; count: number }>(
        'select status, count(*)::int from ci_jobs where project_id = $1 group by status',
        [id],
      );
      return Object.fromEntries(rows.map((row) => [row.status, row.count]));
    };

    // These are accepted, but the client gets no response.
    const release = await installation.hold('select 1 from ci_pipelines where id = $1 for update', [
      pipelineId,
    ]);
    const asking = runners.slice(0, UNANSWERED).map((runner) => runner.next().catch(() => 'lost'));
    await until(async () => (await statuses())['running'] === UNANSWERED);
    const restarted = restartApi();
    expect(await Promise.all(asking)).toEqual(asking.map(() => 'lost'));
    await release();
    await restarted;

    const handedOut: number[] = [];
    const told: number[] = [];
    const restarts: Promise<void>[] = [];
    const run = async (runner: RunnerService): Promise<void> => {
      for (;;) {
        const job = await patiently(() => runner.next());
        if (job === null && (await count('ci_pending_jobs where project_id = $1', id)) === 0) return;
        if (job === null) continue;
        handedOut.push(job.id);
        if (handedOut.length === 10 || handedOut.length === 25) restarts.push(restartApi());
        // Some disappear with their job.
        if (handedOut.length % 10 === 0) continue;
        await report(runner, job);
        told.push(job.id);
      }
    };
    await Promise.all(runners.map(run));
    await Promise.all(restarts);

    expect(restarts).toHaveLength(2);
    expect(new Set(handedOut).size).toBe(handedOut.length);
    expect(JOBS - handedOut.length).toBeGreaterThanOrEqual(UNANSWERED);
    expect(await statuses()).toEqual({ success: told.length, running: JOBS - told.length });
    expect(await count(`ci_jobs where id = any($1) and status = 'success'`, told)).toBe(told.length);

    await idle();
    for (const jobId of told) {
      const { text } = await api.client.get(`/projects/${id}/jobs/${jobId}/trace`);
      expect(text).toBe(traceOf(jobId).toString());
    }
    expect(await count(`ci_job_artifacts where file_type = 'trace' and job_id = any($1)`, told)).toBe(
      told.length,
    );
    expect(await count('ci_trace_chunks where job_id = any($1)', told)).toBe(0);
    expect(objectsOf(id)).toHaveLength(told.length);
    expect(await count('object_claims')).toBe(0);

    await installation.sql(
      `update ci_jobs set runner_seen_at = now() - interval '16 minutes' where status = 'running' and project_id = $1`,
      [id],
    );
    await tick('ci', 'ci.watch_jobs');
    await until(async () => (await statuses())['running'] === undefined, 20_000);
    expect(await statuses()).toEqual({ success: told.length, failed: JOBS - told.length });
    const reason = `ci_jobs where project_id = $1 and failure_reason = 'stuck_or_timeout_failure'`;
    expect(await count(reason, id)).toBe(JOBS - told.length);
    expect(await count(`ci_pipelines where id = $1 and status = 'failed'`, pipelineId)).toBe(1);
  });

  it('kill -9 of the api during uploads: no artifact or object is left, and the next upload works', async () => {
    const { id, token } = await project('built', { '.gitlab-ci.yml': 'build:\n  script: [echo build]\n' });
    const pipelineId = await pipelineOf({ id }, 1);
    const runner = await RunnerService.register(api.url, token);
    const job = (await runner.next()) as RunnerJob;
    writeFileSync(join(folder, 'out.txt'), 'content\n'.repeat(50_000));
    const archive = join(folder, 'artifacts.zip');
    await pack(folder, ['out.txt'], archive);

    // An upload that has sent a part.
    const sending = request(`${api.url}/api/v4/jobs/${job.id}/artifacts`, {
      method: 'POST',
      headers: { 'JOB-TOKEN': job.token, 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    sending.on('error', () => undefined);
    const head = 'Content-Disposition: form-data; name="file"; filename="artifacts.zip"';
    sending.write(`--b\r\n${head}\r\nContent-Type: application/zip\r\n\r\n${'x'.repeat(300_000)}`);
    await until(async () => (await count('object_claims')) === 1);
    await restartApi();

    // An upload that has sent everything, before a row refers to it.
    const release = await installation.hold('select 1 from ci_pipelines where id = $1 for update', [
      pipelineId,
    ]);
    const whole = runner.upload(job, ARCHIVE, archive, 'artifacts.zip').catch(() => 'lost');
    await untilBlocked();
    const restarted = restartApi();
    expect(await whole).toBe('lost');
    await release();
    await restarted;

    expect(await count('ci_job_artifacts where project_id = $1', id)).toBe(0);
    const claims = await installation.sql<{ key: string }>(
      `select object_key as key from object_claims where due_at > now() + interval '23 hours'`,
    );
    expect(claims).toHaveLength(2);
    const [left] = objectsOf(id);
    expect(claims.map(({ key }) => key)).toContainEqual(expect.stringContaining(left ?? 'no object'));
    await installation.sql('update object_claims set due_at = now()');
    await tick('default', 'objects.remove');
    await until(async () => (await count('object_claims')) === 0, 20_000);
    expect(objectsOf(id)).not.toContain(left);

    expect(await runner.upload(job, ARCHIVE, archive, 'artifacts.zip')).toBe(201);
    expect((await runner.update(job, { state: 'success' })).status).toBe(200);
    expect(await count(`ci_job_artifacts where job_id = $1 and file_type = 'archive'`, job.id)).toBe(1);
    expect(await count('object_claims')).toBe(0);
  });
});
