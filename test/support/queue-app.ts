import { ConsoleLogger, Global, Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Config } from '#kernel/config/config.js';
import { dataSourceOptions } from '#kernel/database/data-source.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { Transactions } from '#kernel/database/transactions.js';
import { configureLogging } from '#kernel/log/logger.js';
import { defineJob } from '#kernel/queue/job-definition.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { QueueOptions } from '#kernel/queue/queue-options.js';
import { QueueWorkerModule } from '#kernel/queue/queue-worker.module.js';
import { QueueModule } from '#kernel/queue/queue.module.js';

/** The label in the payload of a test job selects its behavior: `behaviours` of the worker that runs it. */
export type Labelled = Readonly<{ label: string }>;

/** Three attempts, short back-off. */
export const PlainJob = defineJob<Labelled>({
  name: 'test.plain',
  queue: 'test',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 100 },
  timeoutMs: 1_500,
});

/** De-duplicated by its label. */
export const KeyedJob = defineJob<Labelled>({
  name: 'test.keyed',
  queue: 'test-keyed',
  attempts: 1,
  backoff: { type: 'fixed', delayMs: 100 },
  dedupe: ({ label }) => label,
});

/** Enqueued every second. */
export const TickJob = defineJob<Labelled>({
  name: 'test.tick',
  queue: 'test-ticks',
  attempts: 1,
  backoff: { type: 'fixed', delayMs: 100 },
  schedule: { cron: '* * * * * *', payload: { label: 'tick' } },
});

/** Enqueued in each second in which it was requested. */
export const AskedJob = defineJob<Labelled>({
  name: 'test.asked',
  queue: 'test-ticks',
  attempts: 1,
  backoff: { type: 'fixed', delayMs: 100 },
  schedule: {
    cron: '* * * * * *',
    payload: { label: 'asked' },
    when: `exists (select from pg_description where description = 'work for test.asked')`,
  },
});

/** Enqueued once in four years. */
export const RareJob = defineJob<Labelled>({
  name: 'test.rare',
  queue: 'test-ticks',
  attempts: 1,
  backoff: { type: 'fixed', delayMs: 100 },
  schedule: { cron: '0 4 29 2 *', payload: { label: 'rare' } },
});

/** Runs a job with this label. */
export type Behaviour = (context: JobContext, label: string) => Promise<void>;

/** Behaviour by label; a label without one just records itself. */
@Injectable()
export class Behaviours {
  readonly by = new Map<string, Behaviour>();

  constructor(private readonly transactions: Transactions) {}

  /** Does what the label says, or writes the effect of one run. */
  async run(label: string, context: JobContext): Promise<void> {
    const behaviour = this.by.get(label);
    if (behaviour) await behaviour(context, label);
    else await this.record(context, label);
  }

  /** The effect: a row, written in a transaction as a real processor would. */
  async record(context: JobContext, label: string): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query('insert into effects (label, attempt, correlation_id) values ($1, $2, $3)', [
        label,
        context.attempt,
        context.correlationId,
      ]),
    );
  }
}

/** Runs PlainJob, and records when it has failed for good. */
@Injectable()
export class PlainProcessor extends JobProcessor<Labelled> {
  readonly job = PlainJob;

  constructor(private readonly behaviours: Behaviours) {
    super();
  }

  process({ label }: Labelled, context: JobContext): Promise<void> {
    return this.behaviours.run(label, context);
  }

  override failed({ label }: Labelled, error: Error, context: JobContext): Promise<void> {
    return this.behaviours.record(context, `${label} failed: ${error.message}`);
  }
}

@Injectable()
class KeyedProcessor extends JobProcessor<Labelled> {
  readonly job = KeyedJob;

  constructor(private readonly behaviours: Behaviours) {
    super();
  }

  process({ label }: Labelled, context: JobContext): Promise<void> {
    return this.behaviours.run(label, context);
  }

  override failed({ label }: Labelled, error: Error, context: JobContext): Promise<void> {
    return this.behaviours.run(`${label} failed: ${error.message}`, context);
  }
}

@Injectable()
class TickProcessor extends JobProcessor<Labelled> {
  readonly job = TickJob;

  constructor(private readonly behaviours: Behaviours) {
    super();
  }

  process({ label }: Labelled, context: JobContext): Promise<void> {
    return this.behaviours.run(label, context);
  }
}

@Injectable()
class AskedProcessor extends JobProcessor<Labelled> {
  readonly job = AskedJob;

  constructor(private readonly behaviours: Behaviours) {
    super();
  }

  process({ label }: Labelled, context: JobContext): Promise<void> {
    return this.behaviours.run(label, context);
  }
}

@Injectable()
class RareProcessor extends JobProcessor<Labelled> {
  readonly job = RareJob;

  constructor(private readonly behaviours: Behaviours) {
    super();
  }

  process({ label }: Labelled, context: JobContext): Promise<void> {
    return this.behaviours.run(label, context);
  }
}

/** All test processors. */
export const testProcessors = [PlainProcessor, KeyedProcessor, TickProcessor, AskedProcessor, RareProcessor];

/** Options of a test process. */
export interface QueueAppOptions {
  readonly databaseUrl: string;
  readonly redisUrl?: string | undefined;
  readonly process?: Config['PROCESS'];
  readonly options?: Partial<QueueOptions>;
  readonly processors?: Parameters<typeof QueueWorkerModule.register>[0];
}

/** Only the queue of one process of the product. */
export async function startQueueApp(setup: QueueAppOptions): Promise<TestingModule> {
  const config = Object.assign(new Config(), { PROCESS: setup.process ?? 'all' });
  if (setup.redisUrl !== undefined) config.REDIS_URL = setup.redisUrl;
  const database = (await dataSourceOptions(
    DatabaseAddress.direct(setup.databaseUrl),
    5,
  )) as DataSourceOptions;

  @Global()
  @Module({
    imports: [TypeOrmModule.forRoot({ ...database, retryAttempts: 0 })],
    providers: [
      { provide: Config, useValue: config },
      { provide: DatabaseAddress, useValue: DatabaseAddress.direct(setup.databaseUrl) },
      Transactions,
      Behaviours,
    ],
    exports: [Config, DatabaseAddress, Transactions, Behaviours],
  })
  class Base {}

  @Module({ imports: [Base, QueueModule, QueueWorkerModule.register(setup.processors ?? testProcessors)] })
  class App {}

  const app = await Test.createTestingModule({ imports: [App] })
    .overrideProvider(QueueOptions)
    .useValue(Object.assign(new QueueOptions(), setup.options))
    .setLogger(new QuietLogger())
    .compile();
  configureLogging(process.env['QUEUE_TEST_LOG'] === undefined ? 'silent' : 'debug');
  try {
    await app.init();
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/** Jobs fail on purpose here; set QUEUE_TEST_LOG to see the log. */
class QuietLogger extends ConsoleLogger {
  override isLevelEnabled(): boolean {
    return process.env['QUEUE_TEST_LOG'] !== undefined;
  }
}
