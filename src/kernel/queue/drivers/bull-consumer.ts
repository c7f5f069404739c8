import { Logger } from '@nestjs/common';
import Bull from 'bull';
import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '#kernel/time/within.js';
import { leaveConnectionsNamed } from '#kernel/libraries/bull-worker-name.js';
import type { Claims } from '../outbox/claims.js';
import type { ClaimedJob, Handover } from '../outbox/claimed-job.js';
import type { JobRunner } from '../running/job-runner.js';
import { retryWhileUnavailable } from '../running/retry-while-unavailable.js';
import type { QueueOptions } from '../queue-options.js';
import { BLOCKING_SECONDS, patientRedis } from './redis-connection.js';

const CLOSE_MS = 2_000;
const GUARD_MS = 3_600_000;
/** How long a delivery waits for a slot; until then no other worker gets it. */
const SLOT_MS = 5_000;
const SLOT_LOOK_MS = 100;

/** Consumers of all Bull queues; replaced as a whole if jobs no longer flow through them. */
export class BullConsumer {
  private readonly logger = new Logger(BullConsumer.name);
  private readonly connections: Redis[] = [];
  private readonly queues: Bull.Queue<Handover>[];
  private readonly lastStart = new Map<string, number>();
  private stopping = false;

  constructor(
    private readonly redisUrl: string,
    private readonly claims: Claims,
    private readonly runner: JobRunner,
    private readonly options: QueueOptions,
    private readonly onReturned: () => void,
  ) {
    const client = this.connect('forgeplane-worker');
    const subscriber = this.connect('forgeplane-events');
    this.queues = runner.queues().map((name) => this.open(name, client, subscriber));
  }

  /** Finds a queue with waiting jobs and free slots in which no job has started for `flowMs`. */
  async stuckQueue(redis: Redis): Promise<string | undefined> {
    const free = this.runner.freeSlots();
    const silentSince = performance.now() - this.options.flowMs;
    const silent = this.queues.filter(
      ({ name }) => free.has(name) && (this.lastStart.get(name) ?? -Infinity) <= silentSince,
    );
    // One pipeline, because this check repeats every few seconds; on the relay's connection, because a consumer's may hang.
    const results = (await redis.pipeline(silent.map((queue) => ['llen', queue.toKey('wait')])).exec()) ?? [];
    return silent.find((_queue, index) => Number(results[index]?.[1] ?? 0) > 0)?.name;
  }

  /** Stops fetching jobs; running ones continue. */
  async stopTaking(): Promise<void> {
    this.stopping = true;
    const pausing = Promise.allSettled(this.queues.map((queue) => queue.pause(true, true)));
    await within(CLOSE_MS, pausing, () => undefined);
  }

  /** Closes queues and connections, even if Redis does not respond. */
  async close(): Promise<void> {
    this.stopping = true;
    const closing = Promise.allSettled(this.queues.map((queue) => queue.close(true)));
    await within(CLOSE_MS, closing, () => undefined);
    this.disconnect();
    // While it closes, Bull reconnects its blocking connection once, however late.
    void closing.then(() => this.disconnect());
  }

  private disconnect(): void {
    for (const connection of this.connections) connection.disconnect();
  }

  private open(name: string, client: Redis, subscriber: Redis): Bull.Queue<Handover> {
    this.lastStart.set(name, performance.now());
    const queue = new Bull<Handover>(name, {
      prefix: this.options.redisPrefix,
      createClient: (type) =>
        type === 'client' ? client : type === 'subscriber' ? subscriber : this.connect(`forgeplane-${name}`),
      settings: {
        // Together with the stalled check these bound the time in which Bull notices a dead worker.
        lockDuration: this.options.leaseMs,
        stalledInterval: this.options.leaseMs / 5,
        maxStalledCount: this.options.maxStalls,
        retryProcessDelay: 1_000,
        // No job is ever delayed in Redis.
        guardInterval: GUARD_MS,
        // Redis also hands jobs to a worker that is stopped, and its slots wait for this long one after the other: the sum must stay
        // below the lease of its jobs, or the worker is handed them again.
        drainDelay: BLOCKING_SECONDS,
      },
    });
    queue.on('error', (error) => {
      if (!this.stopping) this.logger.warn(`Queue ${name}: ${error.message}`);
    });
    queue.on('failed', (job, error) => {
      if (!(error instanceof RunFailed))
        this.logger.warn(`Cannot run ${job.name} ${job.id}: ${error.message}`);
    });
    leaveConnectionsNamed(queue);
    queue.process('*', this.options.slotsOf(name), (job) => this.handle(job)).catch(() => undefined);
    return queue;
  }

  private async handle(job: Bull.Job<Handover>): Promise<void> {
    const handover = job.data;
    this.lastStart.set(handover.queue, performance.now());
    const release = await this.slot(handover.queue);
    if (!release) {
      await this.claims.handBack([handover]);
      this.onReturned();
      return;
    }
    let claimed: ClaimedJob | undefined;
    try {
      claimed = await retryWhileUnavailable(() => this.claims.begin(handover), this.options.leaseMs);
    } finally {
      // The job takes it in the same turn of the event loop.
      release();
    }
    const error = claimed && (await this.runner.run(claimed));
    // Only marks the job as failed in Redis; PostgreSQL decides whether it is retried.
    if (error) throw new RunFailed(error);
  }

  /** Bull limits the jobs of one consumer, but replaced consumers may still run jobs. Undefined if another worker should run the job. */
  private async slot(queue: string): Promise<(() => void) | undefined> {
    const end = performance.now() + SLOT_MS;
    while (!this.stopping && performance.now() < end) {
      const release = this.runner.reserve(queue);
      if (release) return release;
      await sleep(SLOT_LOOK_MS);
    }
    return undefined;
  }

  private connect(name: string): Redis {
    const connection = patientRedis(this.redisUrl, name);
    connection.on('error', () => undefined);
    connection.setMaxListeners(100);
    this.connections.push(connection);
    return connection;
  }
}

/** Redacted error of a run, without its stack: Redis keeps it for the queue console. */
class RunFailed extends Error {
  constructor(cause: Error) {
    super(`${cause.name}: ${cause.message}`);
    this.stack = '';
  }
}
