import { BullModule, getQueueToken } from '@nestjs/bull';
import { Logger } from '@nestjs/common';
import type { LazyModuleLoader } from '@nestjs/core';
import type { Queue } from 'bull';
import type { Redis } from 'ioredis';
import { within } from '#kernel/time/within.js';
import { BullConsumer } from './bull-consumer.js';
import type { Claims } from '../outbox/claims.js';
import type { Handover } from '../outbox/claimed-job.js';
import { definedQueues } from '../job-definition.js';
import type { JobRunner } from '../running/job-runner.js';
import { Pump } from '../running/pump.js';
import { QueueDriver, type RedisState } from './queue-driver.js';
import type { QueueOptions } from '../queue-options.js';
import { impatientRedis } from './redis-connection.js';

/** Finished jobs that Bull keeps for the queue console. */
const KEPT = 2_000;
const PING_MS = 1_000;

/**
 * Carries the ids of due jobs to the workers through Bull queues on Redis. Redis holds nothing that PostgreSQL does not:
 * delays, attempts and back-off live in the row, so that a flushed Redis costs time and nothing else.
 */
export class BullDriver extends QueueDriver {
  private readonly logger = new Logger(BullDriver.name);
  private readonly redis: Redis;
  private readonly queues = new Map<string, Promise<Queue<Handover>>>();
  private readonly pump = new Pump(
    () => this.step(),
    (error) => this.logger.warn(`Cannot hand jobs to Redis: ${(error as Error).message}`),
  );
  private runner: JobRunner | undefined;
  private consumer: BullConsumer | undefined;
  private flowTimer: NodeJS.Timeout | undefined;
  private relaying = false;
  private onReturned: () => void = () => undefined;

  constructor(
    private readonly redisUrl: string,
    private readonly claims: Claims,
    private readonly options: QueueOptions,
    private readonly modules: LazyModuleLoader,
  ) {
    super();
    this.redis = impatientRedis(redisUrl, 'forgeplane-relay');
    this.redis.setMaxListeners(100);
    this.redis.on('error', () => undefined);
    this.redis.once('ready', () => {
      this.pump.wake();
      this.redis.on('ready', () => void this.resume());
    });
  }

  relay(): void {
    this.relaying = true;
    this.pump.wake();
  }

  consume(runner: JobRunner): void {
    this.runner = runner;
    this.consumer = this.newConsumer(runner);
    this.flowTimer = setInterval(() => void this.checkFlow(), this.options.flowMs / 2);
  }

  takes(): boolean {
    return this.relaying;
  }

  whenReturned(callback: () => void): void {
    this.onReturned = callback;
  }

  wake(): boolean {
    this.pump.wake();
    return this.relaying && this.redis.status === 'ready';
  }

  async lost(handovers: readonly Handover[]): Promise<readonly Handover[]> {
    if (this.redis.status !== 'ready') return [];
    const jobs = await Promise.allSettled(
      handovers.map(async (job) => (await this.queue(job.queue)).getJob(bullId(job))),
    );
    return handovers.filter((_, index) => {
      const found = jobs[index];
      return found?.status === 'fulfilled' && (!found.value || typeof found.value.finishedOn === 'number');
    });
  }

  ping(): Promise<RedisState> {
    const answer = this.redis.ping().then(
      (): RedisState => 'up',
      (): RedisState => 'down',
    );
    return within<RedisState>(PING_MS, answer, () => 'down');
  }

  async stopTaking(): Promise<void> {
    this.relaying = false;
    clearInterval(this.flowTimer);
    await this.pump.stop();
    await this.consumer?.stopTaking();
  }

  async close(): Promise<void> {
    await this.consumer?.close();
    for (const queue of await Promise.all(this.queues.values())) await queue.close(true);
    this.redis.disconnect();
  }

  private async step(): Promise<boolean> {
    if (!this.relaying || this.redis.status !== 'ready') return false;
    const handovers = await this.claims.handOver(definedQueues());
    const byQueue = new Map<string, Handover[]>();
    for (const handover of handovers) {
      const group = byQueue.get(handover.queue);
      if (group) group.push(handover);
      else byQueue.set(handover.queue, [handover]);
    }
    await Promise.all([...byQueue].map(([name, group]) => this.add(name, group)));
    return [...byQueue.values()].some((group) => group.length >= this.options.relayBatch);
  }

  private async add(name: string, group: Handover[]): Promise<void> {
    let missed = group;
    try {
      const queue = await this.queue(name);
      const jobs = await queue.addBulk(
        group.map((data) => ({ name: data.name, data, opts: { jobId: bullId(data) } })),
      );
      // A refused add shows in nothing but a missing id. After an aborted transaction ioredis believes Bull's script to be loaded
      // for ever and every bulk ends like this; a single add notices, and loads it.
      missed = group.filter((_, index) => !jobs[index]?.id);
      for (const data of missed) await queue.add(data.name, data, { jobId: bullId(data) });
    } catch (error) {
      await this.claims.handBack(missed);
      throw error;
    }
  }

  /** The queue as @nestjs/bull registers it; loaded at first use, so that without Redis there is no Bull at all. */
  private queue(name: string): Promise<Queue<Handover>> {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = this.register(name);
      this.queues.set(name, queue);
    }
    return queue;
  }

  private async register(name: string): Promise<Queue<Handover>> {
    const registered = BullModule.registerQueue({
      name,
      prefix: this.options.redisPrefix,
      createClient: () => this.redis,
      defaultJobOptions: { attempts: 1, removeOnComplete: KEPT, removeOnFail: KEPT },
    });
    const module = await this.modules.load(() => registered, { logger: false });
    return module.get<Queue<Handover>>(getQueueToken(name), { strict: false });
  }

  /** Redis is back: Bull's own consumers may hang on their old connections, and it may have forgotten its jobs. */
  private async resume(): Promise<void> {
    this.pump.wake();
    await this.rebuild('Redis is back');
    await this.claims.doubtHandovers().then(
      () => this.onReturned(),
      () => undefined,
    );
  }

  private async checkFlow(): Promise<void> {
    if (this.redis.status !== 'ready') return;
    const stuck = await this.consumer?.stuckQueue(this.redis).catch(() => undefined);
    if (stuck !== undefined) await this.rebuild(`Jobs of queue ${stuck} do not flow`);
  }

  private newConsumer(runner: JobRunner): BullConsumer {
    return new BullConsumer(this.redisUrl, this.claims, runner, this.options, () => this.onReturned());
  }

  private async rebuild(reason: string): Promise<void> {
    const { consumer, runner } = this;
    if (!consumer || !runner || !this.relaying) return;
    this.logger.warn(`${reason}: consumers are built anew`);
    this.consumer = this.newConsumer(runner);
    await consumer.close();
  }
}

function bullId(handover: Handover): string {
  return `${handover.id}-${handover.token}`;
}
