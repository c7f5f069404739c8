import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { askForEndingJob } from '#core/ci/processing/ending-job.js';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { FinishJob } from '#features/runners/protocol/jobs/finish-job.use-case.js';

/** One job may need up to 50 others. */
const JOBS = 50;

const names = Array.from({ length: JOBS }, (_, at) => `j${at}`);

/** Each job needs all before it. */
const chain = (values = ''): string =>
  names
    .map((name, at) => `${name}: { script: x, needs: [${names.slice(0, at).join(', ')}]${values} }\n`)
    .join('');

describe('jobs that need many others', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  /** Ends a job as a runner does; returns how many needs were read for it. */
  const finish = async (pipelineId: number, name: string): Promise<number> => {
    const id = await ci.job(pipelineId, name);
    await api.sql(`delete from ci_pending_jobs where job_id = $1`, [id]);
    const [row] = await api.sql(
      `update ci_jobs set status = 'running' where id = $1 and status = 'pending' returning id`,
      [id],
    );
    expect(row).toBeDefined();
    const read = await api.app.get(Transactions).run(async (tx) => (await askForEndingJob(tx, id))());
    await api.app.get(FinishJob).run(id, 'success');
    return (read?.jobs.all ?? []).reduce((sum, { needs }) => sum + (needs?.length ?? 0), 0);
  };

  it('are read again only when the job has ended for which they wait', async () => {
    const id = await ci.run(chain());
    let read = 0;
    for (const name of names) read += await finish(id, name);
    expect(await ci.state(id)).toBe(['pipeline', ...names].map((name) => `${name}:success`).join(' '));
    // The many needs of each job once, few needs at each end: sixteen times as many without `awaited`.
    expect(read).toBeLessThan(2 * JOBS * JOBS);
  });

  it('are skipped together after a failure', async () => {
    const id = await ci.run(chain());
    const state = await ci.end(id, 'j0', 'failed');
    expect(state).toBe(
      ['pipeline:failed', 'j0:failed', ...names.slice(1).map((name) => `${name}:skipped`)].join(' '),
    );
  });

  it('are skipped behind a skipped one for which they wait', async () => {
    const id = await ci.run(`${chain()}last: { script: x, needs: [${names.join(', ')}] }\n`);
    for (const name of names.slice(0, -2)) await finish(id, name);
    expect(await ci.end(id, names.at(-2) ?? '', 'canceled')).toMatch(/ j49:skipped last:skipped$/);
  });

  it('go on behind manual ones that may fail', async () => {
    const id = await ci.run(
      `${chain(', when: manual, allow_failure: true')}last: { script: x, when: always, needs: [${names.join(', ')}] }\n`,
    );
    expect(await ci.state(id)).toMatch(/ last:pending$/);
  });

  it('wait again for one that is retried', async () => {
    const first = names.slice(0, 30);
    const id = await ci.run(
      `${first.map((name) => `${name}: { script: x }\n`).join('')}last: { script: x, needs: [${first.join(', ')}] }\n`,
    );
    await ci.end(id, 'j29', 'failed');
    expect((await ci.act(id, 'j29', 'retry')).status).toBe(201);
    for (const name of first.slice(0, -1)) await finish(id, name);
    expect(await ci.state(id)).toMatch(/ last:created /);
    await finish(id, 'j29');
    expect(await ci.state(id)).toMatch(/ last:pending /);
  });

  it('run after all once the one whose failure has skipped them is retried', async () => {
    const id = await ci.run(chain());
    for (const name of names.slice(0, 30)) await finish(id, name);
    await ci.end(id, 'j30', 'failed');
    expect(await ci.state(id)).toMatch(/ j31:skipped .* j49:skipped$/);
    expect((await ci.act(id, 'j30', 'retry')).status).toBe(201);
    for (const name of names.slice(30)) await finish(id, name);
    expect(await ci.state(id)).toMatch(/^pipeline:success( j\d+:success){50}$/);
  });
});
