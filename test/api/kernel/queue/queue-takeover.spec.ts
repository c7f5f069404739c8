import { expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { Runs } from '#kernel/queue/outbox/runs.js';
import { KeyedJob, PlainJob } from '../../../support/queue-app.js';
import { describeQueue, freeze, gate, thaw } from '../../../support/queue-suite.js';
import { until } from '../../../support/until.js';

describeQueue('jobs of dead workers', (suite) => {
  /** Adds a job that a worker took and left, as often as `stalls` says and now once more; returns its id. */
  const addDead = async ({ queue, name }: typeof PlainJob, label: string, stalls = 0): Promise<number> => {
    const [row] = await suite.sql<{ id: number }>(
      `insert into background_jobs (queue, name, payload, state, attempt, stalls, run_token, started_at, lease_until)
       values ($1, $2, $3, 'running', 1, $4, gen_random_uuid(), now(), now() - interval '1 s') returning id`,
      [queue, name, JSON.stringify({ label }), stalls],
    );
    return row?.id ?? 0;
  };
  const stalls = async (id: number): Promise<number | undefined> =>
    (await suite.sql<{ stalls: number }>('select stalls from background_jobs where id = $1', [id]))[0]
      ?.stalls;

  it('return at once, and once, while giving up others takes long', async () => {
    const { opened, open } = gate();
    const seen: (number | undefined)[] = [];
    for (const worker of [suite.app, await suite.start()]) {
      suite.behave('poison failed: The worker was lost 4 times while it ran this job', () => opened, worker);
      suite.behave('innocent', async ({ jobId }) => void seen.push(await stalls(jobId)), worker);
    }
    const poison = await addDead(KeyedJob, 'poison', 3);
    await addDead(PlainJob, 'innocent');
    await until(() => seen.length > 0);
    // Longer than a lease: the one that gives up the job keeps it.
    await sleep(4_000);
    expect(seen).toEqual([1]);
    expect(await suite.rows('innocent')).toEqual([]);
    expect(await stalls(poison)).toBe(4);
    open();
    await suite.state('poison', 'failed');
  });

  it('are given up by another worker if the one that does so stops', async () => {
    let begun = 0;
    const label = 'poison failed: The worker was lost 4 times while it ran this job';
    suite.behave(label, () => new Promise(() => (begun += 1)));
    await addDead(KeyedJob, 'poison', 3);
    await until(() => begun === 1);
    await suite.replaceBy(await suite.start());
    await suite.state('poison', 'failed');
    expect(await suite.effects('poison failed: The worker was lost 5 times while it ran this job')).toBe(1);
  });

  it('survive a job that kills every worker', async () => {
    await suite.replaceBy(await suite.start({ options: { maxStalls: 1 } }));
    const frozen = { times: 0 };
    suite.behave('poison', async (context) => {
      frozen.times += 1;
      freeze(suite.app);
      const own = 'select 1 from background_jobs where id = $1 and run_token = $2';
      const isLost = async (): Promise<boolean> =>
        (await suite.sql(own, [context.jobId, context.runToken])).length === 0;
      await until(isLost);
      if ((frozen.times -= 1) === 0) thaw(suite.app);
    });
    suite.behave('innocent', (context, label) => workFor(3_000, context, () => suite.record(context, label)));
    await suite.enqueue('poison', {}, KeyedJob);
    await suite.enqueue('innocent', {}, KeyedJob);
    await until(async () => (await suite.effects('innocent')) === 1);
    await suite.state('poison', 'failed');
    expect(await suite.rows('innocent')).toEqual([]);
  });

  it('are looked for calmly while one of them cannot be taken', async () => {
    await suite.replaceBy(await suite.start({ options: { pollMs: 600_000 } }));
    const id = await addDead(PlainJob, 'fenced');
    const passes = jest.spyOn(suite.app.get(Runs), 'takeOverDead');
    await suite.app.get(Transactions).run(async (tx) => {
      await tx.query('select 1 from background_jobs where id = $1 for key share', [id]);
      await until(() => passes.mock.calls.length > 0);
      passes.mockClear();
      await sleep(2_000);
      expect(passes.mock.calls.length).toBeLessThan(10);
    });
    await suite.done('fenced');
  });
});

/** Work that ends early if the run is lost. */
async function workFor(ms: number, { signal }: JobContext, end: () => Promise<void>): Promise<void> {
  await sleep(ms, undefined, { signal });
  await end();
}
