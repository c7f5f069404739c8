import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { Jobs, type EnqueueOptions } from '#kernel/queue/jobs.js';
import { QueueDriver } from '#kernel/queue/drivers/queue-driver.js';
import { Leases } from '#kernel/queue/outbox/leases.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { Behaviours, PlainJob, startQueueApp, type Behaviour, type QueueAppOptions } from './queue-app.js';
import { createTestRedis, describeWithRedis, type TestRedis } from './redis.js';
import { until } from './until.js';

/** Short enough for a test, long enough for a busy machine. */
const timings = { leaseMs: 1_500, handedMs: 1_500, drainMs: 600, abortMs: 500, pollMs: 500 };

/** A job as its row in the table. */
interface JobRow {
  readonly state: string;
  readonly attempt: number;
}

/** The environment of one suite: a database, maybe a Redis, and any number of processes on them. */
export class QueueSuite {
  /** The process that most tests talk to. */
  app!: TestingModule;
  private database!: TestDatabase;
  private redis: TestRedis | undefined;
  private readonly apps: TestingModule[] = [];

  constructor(readonly withRedis: boolean) {
    beforeAll(async () => {
      this.database = await createTestDatabase();
      if (withRedis) this.redis = await createTestRedis();
    });
    afterAll(async () => {
      await this.redis?.drop();
      await this.database.drop();
    });
    beforeEach(async () => {
      this.app = await this.start();
      await this.sql('create table if not exists effects (label text, attempt integer, correlation_id text)');
      await this.sql('truncate effects, background_jobs');
    });
    afterEach(async () => {
      while (this.apps.length > 0) await this.apps.pop()?.close();
    });
  }

  /** Options of a process of this suite. */
  get setup(): QueueAppOptions {
    return { databaseUrl: this.database.url, redisUrl: this.redis?.url, options: timings };
  }

  /** Starts one more process. */
  async start(more: Partial<QueueAppOptions> = {}): Promise<TestingModule> {
    const options = { ...timings, ...more.options };
    const started = await startQueueApp({ ...this.setup, ...more, options });
    this.apps.push(started);
    return started;
  }

  /** Stops a process; the tests use the other one from now on. */
  async replaceBy(next: TestingModule): Promise<void> {
    const stopped = this.app;
    this.app = next;
    this.apps.splice(this.apps.indexOf(stopped), 1);
    await stopped.close();
  }

  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.app.get(DataSource).query<Row[]>(text, values);
  }

  /** Number of effects of jobs with this label. */
  async effects(label: string): Promise<number> {
    const text = 'select count(*) as count from effects where label = $1';
    const [row] = await this.sql<{ count: number }>(text, [label]);
    return row?.count ?? 0;
  }

  enqueue(label: string, options: EnqueueOptions = {}, job = PlainJob): Promise<void> {
    const { app } = this;
    return app.get(Transactions).run((tx) => app.get(Jobs).enqueue(tx, job, { label }, options));
  }

  /** Sets the behavior of jobs with this label in a process. */
  behave(label: string, behaviour: Behaviour, where = this.app): void {
    where.get(Behaviours).by.set(label, behaviour);
  }

  /** The effect that a job without behaviour has. */
  record = (context: JobContext, label: string): Promise<void> =>
    this.app.get(Behaviours).record(context, label);

  /** Remaining jobs with this label. */
  rows(label: string): Promise<JobRow[]> {
    return this.sql(`select state, attempt from background_jobs where payload->>'label' = $1`, [label]);
  }

  async state(label: string, state: string): Promise<void> {
    await until(async () => (await this.rows(label))[0]?.state === state);
  }

  /** Resolves once that many jobs have had their effect and none is left. */
  async done(label: string, count = 1): Promise<void> {
    await until(async () => (await this.effects(label)) >= count && (await this.rows(label)).length === 0);
  }
}

/** Runs the same tests with both drivers; without a Redis those of Bull are reported as skipped. */
export function describeQueue(name: string, tests: (suite: QueueSuite) => void): void {
  describe(`${name}, embedded driver`, () => tests(new QueueSuite(false)));
  describeWithRedis(`${name}, bull driver`, () => tests(new QueueSuite(true)));
}

/** Stops the heartbeat of a process, as SIGSTOP or a held event loop would. */
export function freeze(frozen: TestingModule): void {
  Object.assign(frozen.get(Leases), { renew: () => Promise.resolve() });
}

/** Makes a process as a dead one is to the others: it neither renews its leases nor takes jobs. */
export async function die(dead: TestingModule): Promise<void> {
  freeze(dead);
  await dead.get(QueueDriver).stopTaking();
}

/** Lets a frozen process renew its leases again. */
export function thaw(frozen: TestingModule): void {
  Reflect.deleteProperty(frozen.get(Leases), 'renew');
}

/** A promise and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
