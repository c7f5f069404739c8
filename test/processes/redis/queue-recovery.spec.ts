import { expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { Transactions } from '#kernel/database/transactions.js';
import { JobListing } from '#kernel/queue/console/job-listing.js';
import { RunLost, type JobContext } from '#kernel/queue/job-processor.js';
import { QueueHealth } from '#kernel/queue/queue-health.js';
import { Behaviours } from '../../support/queue-app.js';
import { describeQueue, die, freeze, gate } from '../../support/queue-suite.js';
import { hasRedisServer, RedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

/** Only wake-ups move jobs: polling comes too late for every test. */
const noPoll = { pollMs: 600_000 };

describeQueue('jobs after faults', (suite) => {
  const listening = (processes: number): Promise<number> =>
    until(async () => {
      const [row] = await suite.sql<{ count: number }>(`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'forgeplane-listen'`);
      return (row?.count ?? 0) >= processes;
    });

  it('are taken from a dead worker, whose late writes change nothing', async () => {
    let late: Promise<void> | undefined;
    const { opened, open } = gate();
    let lateRun: JobContext | undefined;
    suite.behave('taken', (context, label) => {
      lateRun = context;
      late = opened.then(() => suite.record(context, label));
      late.catch(() => undefined);
      return late;
    });
    await suite.enqueue('taken');
    await until(() => lateRun !== undefined);
    await die(suite.app);
    const second = await suite.start();
    suite.behave('taken', (context, label) => second.get(Behaviours).record(context, label), second);
    await suite.done('taken');
    open();
    await expect(late).rejects.toThrow(RunLost);
    await expect(lateRun?.heartbeat()).rejects.toThrow(RunLost);
    await sleep(500);
    const runs = await suite.sql<{ attempt: number }>(`select attempt from effects where label = 'taken'`);
    expect(runs).toEqual([{ attempt: 1 }]);
  });

  it('are given up if they were lost with too many workers', async () => {
    const dying = await suite.start({ options: { maxStalls: 1 } });
    await suite.replaceBy(dying);
    let runs = 0;
    suite.behave('poison', () => {
      runs += 1;
      freeze(dying);
      return new Promise(() => undefined);
    });
    await suite.enqueue('poison');
    await suite.state('poison', 'failed');
    expect(runs).toBe(2);
    expect((await suite.app.get(JobListing).list({ standing: 'failed' }, 1))[0]?.error).toMatch(
      /^WorkerLost: /,
    );
  });

  it('are completed in the transaction of their effect', async () => {
    suite.behave('exact', (context, label) =>
      suite.app.get(Transactions).run(async (tx) => {
        await tx.query('insert into effects (label, attempt) values ($1, $2)', [label, context.attempt]);
        await context.complete(tx);
      }),
    );
    await suite.enqueue('exact');
    await suite.done('exact');
    expect(await suite.effects('exact')).toBe(1);
  });

  it('return to the queue when the process stops', async () => {
    let aborted = false;
    suite.behave('stopped', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted = true;
      signal.throwIfAborted();
    });
    await suite.enqueue('stopped');
    await suite.state('stopped', 'running');
    const api = await suite.start({ process: 'api' });
    const started = Date.now();
    await suite.replaceBy(api);
    expect(aborted).toBe(true);
    expect(Date.now() - started).toBeLessThan(5_000);
    const [row] = await suite.rows('stopped');
    expect(row?.state).not.toBe('running');
    expect(row?.attempt).toBe(0);
    suite.app = await suite.start();
    await suite.done('stopped');
  });

  it('are enqueued only once by schedule for two workers', async () => {
    await suite.start();
    await sleep(3_500);
    const [schedule] = await suite.sql<{ scheduled_at: Date }>(
      `select scheduled_at from background_schedules where job = 'test.tick'`,
    );
    expect(schedule?.scheduled_at.getMilliseconds()).toBe(0);
    const ticks = await suite.effects('tick');
    expect(ticks).toBeGreaterThanOrEqual(2);
    expect(ticks).toBeLessThanOrEqual(4);
  });

  it('pass from an api process to a worker', async () => {
    const worker = await suite.start({ process: 'worker', options: noPoll });
    const api = await suite.start({ process: 'api', options: noPoll });
    await suite.replaceBy(api);
    await suite.enqueue('apart');
    await suite.done('apart');
    expect(worker.get(QueueHealth)).toBeDefined();
  });

  it('pass from an api process to a worker that has just lost its listening connection', async () => {
    const worker = await suite.start({ process: 'worker', options: noPoll });
    await suite.replaceBy(await suite.start({ process: 'api', options: noPoll }));
    await listening(2);
    await suite.sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'forgeplane-listen'`);
    // These reach no listener: they are found when the worker listens again.
    await suite.enqueue('unheard');
    await suite.enqueue('unheard', { delayMs: 3_000 });
    await suite.done('unheard', 2);
    expect(worker.get(QueueHealth)).toBeDefined();
  });

  it('start on time even if enqueued after later ones, in the same and in other processes', async () => {
    const api = await suite.start({ process: 'api', options: noPoll });
    await suite.replaceBy(await suite.start({ process: 'worker', options: noPoll }));
    const worker = suite.app;
    await suite.enqueue('here', { delayMs: 3_000 });
    await suite.enqueue('here', { delayMs: 1_500 });
    suite.app = api;
    await suite.enqueue('there', { delayMs: 3_000 });
    await suite.enqueue('there', { delayMs: 1_500 });
    suite.app = worker;
    await suite.done('here', 2);
    await suite.done('there', 2);
  });

  it('are found if they were locked when due, by a transaction that then failed', async () => {
    await suite.replaceBy(await suite.start({ options: noPoll }));
    await suite.enqueue('held', { delayMs: 300, dedupeKey: 'held' });
    const failed = suite.app.get(Transactions).run(async (tx) => {
      await tx.query(`select 1 from background_jobs where dedupe_key = 'held' for update`);
      await sleep(1_500);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await suite.done('held');
  });

  it('are announced to other workers when a stopping worker returns them', async () => {
    suite.behave('given back', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
    });
    await suite.enqueue('given back');
    await suite.state('given back', 'running');
    await suite.replaceBy(await suite.start({ options: noPoll }));
    await suite.done('given back');
  });

  it('are found when the lease of a dead worker ends', async () => {
    await suite.replaceBy(await suite.start({ options: noPoll }));
    let runs = 0;
    suite.behave('orphan', (context, label) => {
      runs += 1;
      return runs > 1 ? suite.record(context, label) : new Promise(() => undefined);
    });
    await suite.enqueue('orphan');
    await suite.state('orphan', 'running');
    await die(suite.app);
    await suite.start({ process: 'worker', options: noPoll });
    await suite.done('orphan');
  });

  it('continue by schedule after a clock was set back', async () => {
    await suite.sql(`insert into background_schedules (job, scheduled_at) values ('test.tick', now() + interval '1 day')
      on conflict (job) do update set scheduled_at = excluded.scheduled_at`);
    await until(async () => (await suite.effects('tick')) > 0);
  });

  it('are enqueued by schedule only if there is work for them', async () => {
    const ticks = (): Promise<number> => suite.effects('tick');
    await until(async () => (await ticks()) >= 2);
    expect(await suite.effects('asked')).toBe(0);
    await suite.sql(`comment on table effects is 'work for test.asked'`);
    await until(async () => (await suite.effects('asked')) >= 2);
    await suite.sql('comment on table effects is null');
    await sleep(1_100);
    const before = await suite.effects('asked');
    const told = await ticks();
    await until(async () => (await ticks()) >= told + 2);
    expect(await suite.effects('asked')).toBe(before);
  });

  it('continue after PostgreSQL closed all connections', async () => {
    suite.behave('cut', (context, label) => sleep(200).then(() => suite.record(context, label)));
    for (let index = 0; index < 20; index += 1) await suite.enqueue('cut');
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    for (let round = 0; round < 3; round += 1) {
      await suite.sql(cut);
      await sleep(150);
    }
    await until(async () => (await suite.rows('cut')).length === 0, 20_000);
    expect(await suite.effects('cut')).toBe(20);
    await suite.enqueue('after');
    await suite.done('after');
  });

  if (!suite.withRedis) return;

  it('are not lost when Redis is flushed', async () => {
    const api = await suite.start({ process: 'api' });
    await suite.replaceBy(api);
    for (let index = 0; index < 50; index += 1) await suite.enqueue('flushed');
    await until(async () => (await suite.rows('flushed')).every((row) => row.state === 'handed'));
    const client = new Redis(suite.setup.redisUrl ?? '');
    await client.flushdb();
    client.disconnect();
    suite.app = await suite.start();
    await suite.done('flushed', 50);
    expect(await suite.effects('flushed')).toBe(50);
  });

  it('run once if Redis delivers them twice', async () => {
    const { opened, open } = gate();
    suite.behave('twice', async (context, label) => {
      await opened;
      await suite.record(context, label);
    });
    await suite.enqueue('twice');
    await suite.state('twice', 'running');
    const client = new Redis(suite.setup.redisUrl ?? '');
    const [id] = await client.lrange('forgeplane:test:active', 0, 0);
    await client.lpush('forgeplane:test:wait', id ?? '');
    await sleep(300);
    client.disconnect();
    open();
    await suite.done('twice');
    await sleep(300);
    expect(await suite.effects('twice')).toBe(1);
  });

  (hasRedisServer ? it : it.skip)('are kept while Redis is out of memory', async () => {
    const server = await RedisServer.start();
    const client = new Redis(server.url);
    try {
      await suite.replaceBy(await suite.start({ redisUrl: server.url }));
      await client.config('SET', 'maxmemory', '1');
      for (let index = 0; index < 20; index += 1) await suite.enqueue('full');
      await sleep(1_000);
      expect(await suite.rows('full')).toHaveLength(20);
      await client.config('SET', 'maxmemory', '0');
      await suite.done('full', 20);
      expect(await suite.effects('full')).toBe(20);
    } finally {
      client.disconnect();
      await suite.replaceBy(await suite.start());
      await server.kill();
    }
  });

  (hasRedisServer ? it : it.skip)('continue after Redis was down and has lost everything', async () => {
    const server = await RedisServer.start();
    try {
      await suite.replaceBy(await suite.start({ redisUrl: server.url }));
      const health = suite.app.get(QueueHealth);
      for (let round = 1; round <= 3; round += 1) {
        // Busy in odd rounds, idle in even ones.
        const slow = round % 2 === 1 ? 40 : 0;
        const label = `round ${round}`;
        suite.behave('busy', (context) => sleep(50).then(() => suite.record(context, label)));
        for (let index = 0; index < slow; index += 1) await suite.enqueue('busy');
        await server.kill();
        await until(async () => (await health.check()).redis === 'down');
        for (let index = 0; index < 20; index += 1) await suite.enqueue(label);
        await sleep(500);
        await server.start();
        await until(async () => (await health.check()).redis === 'up');
        for (let index = 0; index < 20; index += 1) await suite.enqueue(label);
        await suite.done(label, 40 + slow);
        await until(async () => (await suite.rows('busy')).length === 0);
        expect(await suite.effects(label)).toBe(40 + slow);
      }
    } finally {
      await suite.replaceBy(await suite.start());
      await server.kill();
    }
  });
});
