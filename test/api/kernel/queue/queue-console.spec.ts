import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobConsole } from '#kernel/queue/console/job-console.js';
import { JobListing, type JobStanding, type ListedJob } from '#kernel/queue/console/job-listing.js';
import { describeQueue, gate } from '../../../support/queue-suite.js';
import { until } from '../../../support/until.js';

describeQueue('the console of jobs', (suite) => {
  const act = <T>(work: (console: JobConsole, tx: Tx) => Promise<T>): Promise<T> =>
    suite.app.get(Transactions).run((tx) => work(suite.app.get(JobConsole), tx));
  const first = (standing: JobStanding): Promise<ListedJob[]> =>
    suite.app.get(JobListing).list({ standing, queue: 'test' }, 100);

  it('pauses a queue in every process, and resumes it where it stopped', async () => {
    const { opened, open } = gate();
    // Any of them may take the job.
    for (const process of [suite.app, await suite.start()])
      suite.behave(
        'running',
        async (context, label) => {
          await opened;
          await suite.record(context, label);
        },
        process,
      );
    await suite.enqueue('running');
    await suite.state('running', 'running');
    expect(await act((console, tx) => console.pause(tx, 'test'))).toBe(true);
    expect(await act((console, tx) => console.pause(tx, 'test'))).toBe(false);
    for (let index = 0; index < 30; index += 1) await suite.enqueue('held');
    open();
    await suite.done('running');
    await sleep(1_200);
    expect(await suite.effects('held')).toBe(0);
    expect(await first('waiting')).toHaveLength(30);
    expect(await act((console, tx) => console.resume(tx, 'test'))).toBe(true);
    expect(await act((console, tx) => console.resume(tx, 'test'))).toBe(false);
    await suite.done('held', 30);
    expect(await suite.effects('held')).toBe(30);
  });

  it('takes back jobs that were on their way to a paused queue', async () => {
    const { opened, open } = gate();
    suite.behave('slot', () => opened);
    for (let index = 0; index < 10; index += 1) await suite.enqueue('slot');
    await until(async () => (await first('running')).length === 10);
    for (let index = 0; index < 20; index += 1) await suite.enqueue('behind');
    await sleep(300);
    await act((console, tx) => console.pause(tx, 'test'));
    open();
    await until(async () => (await first('running')).length === 0);
    await sleep(700);
    expect(await suite.effects('behind')).toBe(0);
    await act((console, tx) => console.resume(tx, 'test'));
    await suite.done('behind', 20);
    expect(await suite.effects('behind')).toBe(20);
  });

  it('starts no job that was locked when its queue was paused', async () => {
    await suite.replaceBy(await suite.start({ process: 'api' }));
    await suite.enqueue('locked');
    if (suite.withRedis) await suite.state('locked', 'handed');
    // Of another session, as that of a request that adds the same job.
    const held = new pg.Client({ connectionString: suite.setup.databaseUrl });
    await held.connect();
    await held.query('begin');
    await held.query(`select 1 from background_jobs where payload ->> 'label' = 'locked' for update`);
    await act((console, tx) => console.pause(tx, 'test'));
    await held.end();
    await suite.start();
    await sleep(1_000);
    await suite.state('locked', 'pending');
    expect(await suite.effects('locked')).toBe(0);
    await act((console, tx) => console.resume(tx, 'test'));
    await suite.done('locked');
  });

  it('shows running jobs with their times, and failed ones with their errors, without secrets and oversized values', async () => {
    const { opened, open } = gate();
    suite.behave('running', () => opened);
    await suite.enqueue('running');
    await until(async () => ((await first('running'))[0]?.runningSeconds ?? 0) >= 1);
    open();
    await suite.sql(
      `insert into background_jobs (queue, name, payload, state, failed_at, error_class, error_message)
       select 'test', 'test.plain', payload, 'failed', now(), 'Error', 'token=abcdefgh1234 refused'
       from unnest($1::jsonb[]) payload`,
      [
        [{ deep: { password: 'hunter22' }, id: 7 }, { text: 'x'.repeat(100_000) }].map((one) =>
          JSON.stringify(one),
        ),
      ],
    );
    const failed = await first('failed');
    const [large, deep] = [
      failed.find(({ payload }) => payload === null),
      failed.find(({ payload }) => payload),
    ];
    expect(large).toBeDefined();
    expect(deep?.payload).toMatch(/"id":7/);
    expect(JSON.stringify(failed)).not.toMatch(/hunter22|abcdefgh1234/);
  });

  it('discards failed jobs, retries waiting ones immediately, and changes no others', async () => {
    const { opened, open } = gate();
    suite.behave('running', () => opened);
    suite.behave('broken', () => Promise.reject(new Error('broken')));
    await suite.enqueue('running');
    await suite.enqueue('later', { delayMs: 60_000 });
    await suite.enqueue('broken');
    await suite.state('broken', 'failed');
    await suite.state('running', 'running');
    const [running] = await first('running');
    const [later] = await first('delayed');
    const [broken] = await first('failed');
    for (const job of [running, later]) {
      expect(await act((console, tx) => console.discard(tx, job?.id ?? 0))).toBeNull();
      expect(await act((console, tx) => console.retry(tx, job?.id ?? 0))).toBeNull();
    }
    expect(await act((console, tx) => console.discard(tx, broken?.id ?? 0))).toBe('test.plain');
    expect(await act((console, tx) => console.retry(tx, broken?.id ?? 0))).toBeNull();
    await suite.sql('update background_jobs set attempt = 1 where id = $1', [later?.id]);
    expect(await act((console, tx) => console.retry(tx, later?.id ?? 0))).toBe('test.plain');
    await suite.done('later');
    open();
  });
});
