import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Transactions } from '#kernel/database/transactions.js';
import { requestContext, runAsJob } from '#kernel/log/request-context.js';
import { JobConsole } from '#kernel/queue/console/job-console.js';
import { JobListing } from '#kernel/queue/console/job-listing.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { QueueHealth } from '#kernel/queue/queue-health.js';
import {
  KeyedJob,
  PlainJob,
  PlainProcessor,
  startQueueApp,
  testProcessors,
} from '../../../support/queue-app.js';
import { describeQueue, gate } from '../../../support/queue-suite.js';
import { until } from '../../../support/until.js';

describeQueue('jobs', (suite) => {
  it('run after the commit, with the correlation id of the request', async () => {
    let running = false;
    suite.behave('commit', async (context, label) => {
      running = true;
      await suite.record(context, label);
    });
    await runAsJob('request', 'request-17', () =>
      suite.app.get(Transactions).run(async (tx) => {
        await suite.app.get(Jobs).enqueue(tx, PlainJob, { label: 'commit' });
        await sleep(700);
        expect(running).toBe(false);
      }),
    );
    await suite.done('commit');
    const [effect] = await suite.sql<{ correlation_id: string }>(
      `select correlation_id from effects where label = 'commit'`,
    );
    expect(effect?.correlation_id).toBe('request-17');
  });

  it('never run after a rollback of their transaction', async () => {
    const rolledBack = suite.app.get(Transactions).run(async (tx) => {
      await suite.app.get(Jobs).enqueue(tx, PlainJob, { label: 'rollback' });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await sleep(800);
    expect(await suite.effects('rollback')).toBe(0);
    expect(await suite.rows('rollback')).toHaveLength(0);
  });

  it('start when a worker is woken', async () => {
    const times: number[] = [];
    for (let index = 0; index < 40; index += 1) {
      let picked: (value: number) => void = () => undefined;
      const started = new Promise<number>((resolve) => (picked = resolve));
      suite.behave('quick', () => {
        picked(performance.now());
        return Promise.resolve();
      });
      await suite.enqueue('quick');
      const committed = performance.now();
      times.push((await started) - committed);
    }
    times.sort((a, b) => a - b);
    // By the wake-up, not by the poll every second, whose median would be 500 ms. test/bench measures how quickly.
    expect(times[20]).toBeLessThan(250);
  });

  it('are merged into one with the same key that has not started, and only then', async () => {
    const { opened, open } = gate();
    suite.behave('keyed', async (context, label) => {
      await opened;
      await suite.record(context, label);
    });
    await suite.enqueue('keyed', {}, KeyedJob);
    await suite.state('keyed', 'running');
    for (let index = 0; index < 5; index += 1) await suite.enqueue('keyed', { delayMs: 300 }, KeyedJob);
    expect(await suite.rows('keyed')).toHaveLength(2);
    open();
    await suite.done('keyed', 2);
    expect(await suite.effects('keyed')).toBe(2);
  });

  it('are merged into one that has not started by the commit, and otherwise run after it', async () => {
    for (const [label, delayMs] of [
      ['started', 200],
      ['waiting', 2_000],
    ] as const) {
      await suite.enqueue(label, { delayMs, dedupeKey: label });
      await suite.app.get(Transactions).run(async (tx) => {
        const enqueue = () => suite.app.get(Jobs).enqueue(tx, PlainJob, { label }, { dedupeKey: label });
        await enqueue();
        if (label === 'started') await until(async () => (await suite.effects(label)) === 1);
        await enqueue();
      });
      await suite.done(label, label === 'started' ? 2 : 1);
      await sleep(300);
      expect(await suite.effects(label)).toBe(label === 'started' ? 2 : 1);
    }
  });

  it('are written together per transaction, each key once with its earliest time', async () => {
    const jobs = suite.app.get(Jobs);
    const count = await runAsJob('request', undefined, async () => {
      await suite.app.get(Transactions).run(async (tx) => {
        await jobs.enqueue(tx, PlainJob, { label: 'first' }, { dedupeKey: 'same', delayMs: 50_000 });
        await jobs.enqueueAll(tx, PlainJob, [{ label: 'one' }, { label: 'other' }], { delayMs: 60_000 });
        await jobs.enqueue(tx, PlainJob, { label: 'second' }, { dedupeKey: 'same', delayMs: 20_000 });
        await jobs.enqueue(tx, PlainJob, { label: 'third' }, { dedupeKey: 'same', delayMs: 90_000 });
      });
      return requestContext.getStore()?.dbCount;
    });
    expect(count).toBe(1);
    const rows = `select payload ->> 'label' as label, round(extract(epoch from run_at - created_at))::int as seconds
      from background_jobs order by id`;
    expect(await suite.sql(rows)).toEqual([
      { label: 'first', seconds: 20 },
      { label: 'one', seconds: 60 },
      { label: 'other', seconds: 60 },
    ]);
  });

  it('are cleaned up after, when they have failed, although the database was unavailable then', async () => {
    suite.behave('lost', () => Promise.reject(new Error('no')));
    let tries = 0;
    suite.behave('lost failed: no', async (context, label) => {
      tries += 1;
      if (tries === 1)
        await suite.app
          .get(Transactions)
          .run((tx) => tx.query('select pg_terminate_backend(pg_backend_pid())'));
      await suite.record(context, label);
    });
    await suite.enqueue('lost', {}, KeyedJob);
    await suite.state('lost', 'failed');
    expect(await suite.effects('lost failed: no')).toBe(1);
  });

  it('are dropped if their savepoint is rolled back', async () => {
    const transactions = suite.app.get(Transactions);
    const enqueue = (label: string): Promise<void> =>
      transactions.run((tx) => suite.app.get(Jobs).enqueue(tx, PlainJob, { label }, { delayMs: 60_000 }));
    await transactions.together(async () => {
      await enqueue('before');
      const undone = transactions.run(async () => {
        await enqueue('within');
        await enqueue('within too');
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      await enqueue('after');
    });
    await transactions.run(async (tx) => {
      await enqueue('of another transaction');
      await suite.app.get(Jobs).enqueue(tx, PlainJob, { label: 'kept' }, { delayMs: 60_000 });
      await tx.query('savepoint batch');
      await suite.app.get(Jobs).enqueue(tx, PlainJob, { label: 'undone' }, { delayMs: 60_000 });
      await tx.query('rollback to savepoint batch');
    });
    const rows = `select payload ->> 'label' as label from background_jobs order by id`;
    const labels = (await suite.sql<{ label: string }>(rows)).map(({ label }) => label);
    expect(labels).toEqual(['before', 'after', 'of another transaction', 'kept']);
  });

  it('can be delayed', async () => {
    const enqueued = Date.now();
    let started = 0;
    suite.behave('delayed', () => Promise.resolve(void (started = Date.now())));
    await suite.enqueue('delayed', { delayMs: 1_200 });
    await until(() => started > 0);
    expect(started - enqueued).toBeGreaterThanOrEqual(1_190);
  });

  it('are retried with growing pauses, then their failure is stored without secrets', async () => {
    const attempts: number[] = [];
    const times: number[] = [];
    suite.behave('failing', (context) => {
      attempts.push(context.attempt);
      times.push(Date.now());
      return Promise.reject(new TypeError('GET https://bob:hunter22@host/ token=abcdefgh1234 refused'));
    });
    await suite.enqueue('failing');
    await suite.state('failing', 'failed');
    expect(attempts).toEqual([1, 2, 3]);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(95);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(195);
    const [failed] = await suite.app.get(JobListing).list({ standing: 'failed' }, 10);
    expect(failed).toMatchObject({
      name: 'test.plain',
      attempt: 3,
      error: expect.stringMatching(/^TypeError: /),
    });
    expect(failed?.error).not.toMatch(/hunter22|abcdefgh1234/);
    const told = await suite.sql<{ label: string }>(
      `select label from effects where label like 'failing failed%'`,
    );
    expect(told).toHaveLength(1);
    expect((await suite.app.get(QueueHealth).check()).failed).toBe(1);
    suite.behave('failing', suite.record);
    const retried = suite.app
      .get(Transactions)
      .run((tx) => suite.app.get(JobConsole).retry(tx, failed?.id ?? 0));
    expect(await retried).toBe('test.plain');
    await suite.done('failing');
  });

  it('are aborted if they take too long', async () => {
    let reason: unknown;
    suite.behave('slow', async ({ signal, attempt }, label) => {
      if (attempt > 1) return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.reason;
      throw new Error(label);
    });
    await suite.enqueue('slow');
    await until(async () => reason !== undefined && (await suite.rows('slow')).length === 0);
    expect(String(reason)).toContain('longer than 1500 ms');
  });

  it('run once each, even if many come from several processes', async () => {
    await suite.start();
    const count = 300;
    await suite.app.get(Transactions).run((tx) =>
      suite.app.get(Jobs).enqueueAll(
        tx,
        PlainJob,
        Array.from({ length: count }, () => ({ label: 'many' })),
      ),
    );
    await suite.done('many', count);
    expect(await suite.effects('many')).toBe(count);
  });

  it('refuse secrets in payloads, and a start without a processor for each job', async () => {
    const withSecret = suite.app
      .get(Transactions)
      .run((tx) => suite.app.get(Jobs).enqueue(tx, PlainJob, { label: 'x', access_token: 'abc' } as never));
    await expect(withSecret).rejects.toThrow('access_token');
    const { setup } = suite;
    await expect(startQueueApp({ ...setup, processors: [PlainProcessor] })).rejects.toThrow(
      'No processor for test.keyed',
    );
    const twice = startQueueApp({
      ...setup,
      processors: [...testProcessors, class extends PlainProcessor {}],
    });
    await expect(twice).rejects.toThrow('two processors');
  });
});
