import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { Behaviours, PlainJob, startQueueApp } from '../support/queue-app.js';

/** Measurements of the queue with one driver. */
export interface QueueFigures {
  readonly driver: 'embedded' | 'bull';
  /** Time from the end of the enqueuing transaction to the first line of the processor. */
  readonly pickUpP50Ms: number;
  readonly pickUpP99Ms: number;
  /** One job per transaction, 16 producers, until the last one has run. */
  readonly jobsPerSecond: number;
  /** Jobs that wait already. */
  readonly drainedPerSecond: number;
}

const PICK_UPS = 500;
const PRODUCERS = 16;
const JOBS = 6_000;

/** Measures pick-up and throughput in one process; the database must be migrated and empty. */
export async function measureQueue(databaseUrl: string, redisUrl?: string): Promise<QueueFigures> {
  const app = await startQueueApp({ databaseUrl, redisUrl });
  const behaviours = app.get(Behaviours).by;
  const transactions = app.get(Transactions);
  const jobs = app.get(Jobs);
  const enqueue = (label: string): Promise<void> => transactions.run((tx) => jobs.enqueue(tx, PlainJob, { label }));
  try {
    const times: number[] = [];
    for (let index = 0; index < PICK_UPS; index += 1) {
      let picked: (time: number) => void = () => undefined;
      const started = new Promise<number>((resolve) => (picked = resolve));
      behaviours.set('pick-up', () => {
        picked(performance.now());
        return Promise.resolve();
      });
      await enqueue('pick-up');
      const committed = performance.now();
      times.push(Math.max(0, (await started) - committed));
      await sleep(2);
    }
    times.sort((a, b) => a - b);

    let done = 0;
    behaviours.set('count', () => {
      done += 1;
      return Promise.resolve();
    });
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: PRODUCERS }, async () => {
        for (let index = 0; index < JOBS / PRODUCERS; index += 1) await enqueue('count');
      }),
    );
    while (done < JOBS) await sleep(5);
    const seconds = (performance.now() - begun) / 1000;

    done = 0;
    const backlog = Array.from({ length: JOBS }, () => ({ label: 'count' }));
    await transactions.run((tx) => jobs.enqueueAll(tx, PlainJob, backlog));
    const draining = performance.now();
    while (done < JOBS) await sleep(5);
    const drainSeconds = (performance.now() - draining) / 1000;
    const left = await app.get(DataSource).query<unknown[]>('select 1 from background_jobs limit 1');
    if (left.length > 0) await sleep(100);
    return {
      driver: redisUrl === undefined ? 'embedded' : 'bull',
      pickUpP50Ms: times[Math.floor(PICK_UPS * 0.5)] ?? 0,
      pickUpP99Ms: times[Math.floor(PICK_UPS * 0.99)] ?? 0,
      jobsPerSecond: Math.round(JOBS / seconds),
      drainedPerSecond: Math.round(JOBS / drainSeconds),
    };
  } finally {
    await app.close();
  }
}
