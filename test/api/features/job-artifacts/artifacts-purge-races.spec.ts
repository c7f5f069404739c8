import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { ExpireProjectArtifactsProcessor } from '#features/job-artifacts/expiry/expire-project-artifacts.processor.js';
import type { TestApi } from '../../../support/api.js';
import { upload, zipOf } from '../../../support/builders/artifacts.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const context = { signal: new AbortController().signal } as unknown as JobContext;

interface Left {
  readonly id: number;
  readonly token: string;
  readonly pipelineId: number;
}

describe('removing all artifacts of a project, while', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let archive: Buffer;

  beforeAll(async () => {
    api = await borrowApi();
    archive = await zipOf({ 'a.txt': 'one' });
  });
  beforeAll(async () => {
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  /** A running job that has left an archive; its pipeline keeps the latest. */
  async function leave(status: 'running' | 'failed', ref: string): Promise<Left> {
    const values = { status, ref, locked: true };
    const pipeline = await buildPipeline(api, team.projectId, values);
    const { job, token } = await buildRunningJob(api, pipeline, { ref });
    expect((await upload(api, job.id, token, archive, { query: { expire_in: '1 day' } })).status).toBe(201);
    return { id: job.id, token, pipelineId: pipeline.id };
  }

  const download = async ({ id }: Left): Promise<number> =>
    (await team.maintainer.get(`/projects/${team.projectId}/jobs/${id}/artifacts`)).status;

  /** Waits until that many sessions of this database wait for locks of others. */
  const waiting = (count: number): Promise<unknown> =>
    until(async () => {
      const sql = `select 1 from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
      return (await api.sql(sql)).length >= count;
    });

  const purge = (): Promise<void> =>
    api.app
      .get(ExpireProjectArtifactsProcessor, { strict: false })
      .process({ projectId: team.projectId }, context);

  /** Does `work` in a transaction that ends only once the work that it started waits for it. */
  const holding = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => api.app.get(Transactions).run(work);

  it('a user keeps one', async () => {
    const [kept, other] = [await leave('failed', 'kept'), await leave('failed', 'kept')];
    const { purged } = await holding(async (tx) => {
      await tx.query('update ci_jobs set artifacts_expire_at = null where id = $1', [kept.id]);
      const running = purge();
      await waiting(1);
      await tx.query('update ci_job_artifacts set kept = true, expire_at = null where job_id = $1', [
        kept.id,
      ]);
      return { purged: running };
    });
    await purged;
    expect(await Promise.all([kept, other].map(download))).toEqual([200, 404]);
    expect(await api.sql('select artifacts_expire_at as at from ci_jobs where id = $1', [kept.id])).toEqual([
      { at: null },
    ]);
  });

  it('a pipeline becomes the latest successful one, which keeps its artifacts', async () => {
    const [latest, failed] = [await leave('running', 'main'), await leave('failed', 'main')];
    const { ended, purged } = await holding(async (tx) => {
      await tx.query('select 1 from ci_pipelines where id = $1 for update', [latest.pipelineId]);
      const success = api.anonymous.put(`/jobs/${latest.id}`, { token: latest.token, state: 'success' });
      await waiting(1);
      const running = purge();
      await waiting(2);
      return { ended: success, purged: running };
    });
    expect((await ended).status).toBe(200);
    await purged;
    const pipeline = await team.maintainer.get(`/projects/${team.projectId}/pipelines/${latest.pipelineId}`);
    expect(pipeline.body).toMatchObject({ status: 'success' });
    expect(await Promise.all([latest, failed].map(download))).toEqual([200, 404]);
    await purge();
    expect(await download(latest)).toBe(200);
  });
});
