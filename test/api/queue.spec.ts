import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Transactions } from '#kernel/database/transactions.js';
import { runAsJob } from '#kernel/log/request-context.js';
import { FailedJobs } from '#kernel/queue/failed-jobs.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { QueueHealth } from '#kernel/queue/queue-health.js';
import { KeyedJob, PlainJob, PlainProcessor, startQueueApp, testProcessors } from '../support/queue-app.js';
import { describeQueue, gate, until } from '../support/queue-suite.js';

describeQueue('jobs', (suite) => {
  it('runs a job after the commit, with the correlation id of the request', async () => {
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

  it('never runs a job of a transaction that was rolled back', async () => {
    const rolledBack = suite.app.get(Transactions).run(async (tx) => {
      await suite.app.get(Jobs).enqueue(tx, PlainJob, { label: 'rollback' });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await sleep(800);
    expect(await suite.effects('rollback')).toBe(0);
    expect(await suite.rows('rollback')).toHaveLength(0);
  });

  it('picks up when it is woken', async () => {
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
    // By the wake-up, not by the poll of every second, of which the median were 500 ms. test/bench measures how quickly.
    expect(times[20]).toBeLessThan(250);
  });

  it('absorbs a job into one of the same key that has not started, and only then', async () => {
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

  it('does not start a job while a transaction absorbs into it', async () => {
    await suite.enqueue('late', { delayMs: 200, dedupeKey: 'late' });
    await suite.app.get(Transactions).run(async (tx) => {
      await suite.app.get(Jobs).enqueue(tx, PlainJob, { label: 'late' }, { dedupeKey: 'late' });
      // Jobs go with what the transaction asks next, or with its commit: one that has started by then is not absorbed into but followed by another.
      await tx.query('select 1');
      await sleep(1_000);
      expect(await suite.effects('late')).toBe(0);
    });
    await suite.done('late');
    expect(await suite.effects('late')).toBe(1);
  });

  it('delays a job', async () => {
    const enqueued = Date.now();
    let started = 0;
    suite.behave('delayed', () => Promise.resolve(void (started = Date.now())));
    await suite.enqueue('delayed', { delayMs: 1_200 });
    await until(() => started > 0);
    expect(started - enqueued).toBeGreaterThanOrEqual(1_190);
  });

  it('tries again with growing pauses, then keeps the failure without secrets', async () => {
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
    const [failed] = await suite.app.get(FailedJobs).list(10);
    expect(failed).toMatchObject({ name: 'test.plain', attempt: 3, errorClass: 'TypeError' });
    expect(failed?.errorMessage).not.toMatch(/hunter22|abcdefgh1234/);
    const told = await suite.sql<{ label: string }>(
      `select label from effects where label like 'failing failed%'`,
    );
    expect(told).toHaveLength(1);
    expect((await suite.app.get(QueueHealth).check()).failed).toBe(1);
    suite.behave('failing', suite.record);
    expect(await suite.app.get(FailedJobs).retry(failed?.id ?? 0)).toBe(true);
    await suite.done('failing');
  });

  it('aborts a run that takes too long', async () => {
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

  it('runs many jobs of several processes once each', async () => {
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

  it('refuses secrets in payloads, and to start without a processor for each job', async () => {
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
