import { Logger } from '@nestjs/common';
import type { Claims } from '../outbox/claims.js';
import type { Handover } from '../outbox/claimed-job.js';
import type { JobRunner } from '../running/job-runner.js';
import { Pump } from '../running/pump.js';
import { QueueDriver, type RedisState } from './queue-driver.js';

/** Runs jobs straight from PostgreSQL, without Redis: one claimed row for each free slot. */
export class EmbeddedDriver extends QueueDriver {
  private readonly logger = new Logger(EmbeddedDriver.name);
  private runner: JobRunner | undefined;
  private readonly pump = new Pump(
    () => this.step(),
    (error) => this.logger.warn(`Cannot claim jobs: ${(error as Error).message}`),
  );

  constructor(private readonly claims: Claims) {
    super();
  }

  /** Only wakes the pump: jobs stay in the table until they are claimed. */
  relay(): void {
    this.pump.wake();
  }

  consume(runner: JobRunner): void {
    this.runner = runner;
    runner.whenFree(() => this.pump.wake());
    this.pump.wake();
  }

  takes(): boolean {
    return this.runner !== undefined;
  }

  /** Ignores the callback: this driver never hands jobs over, so none return. */
  whenReturned(): void {
    return undefined;
  }

  wake(): boolean {
    if (!this.runner) return false;
    this.pump.wake();
    return this.runner.freeSlots().size > 0;
  }

  /** Returns all of them: such rows remain from an earlier use of Redis. */
  lost(handovers: readonly Handover[]): Promise<readonly Handover[]> {
    return Promise.resolve(handovers);
  }

  ping(): Promise<RedisState> {
    return Promise.resolve('unused');
  }

  async stopTaking(): Promise<void> {
    await this.pump.stop();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async step(): Promise<boolean> {
    const free = this.runner?.freeSlots();
    if (!this.runner || !free || free.size === 0) return false;
    for (const claimed of await this.claims.claim(free)) void this.runner.run(claimed);
    return false;
  }
}
