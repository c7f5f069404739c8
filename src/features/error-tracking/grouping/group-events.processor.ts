import { Injectable, Logger } from '@nestjs/common';
import { errorCode, Transactions } from '#kernel/database/transactions.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { GroupErrorEvents } from './group-events.job.js';
import { believeNothing, Grouping } from './grouping.js';

/** Events of one transaction. */
const AT_ONCE = 500;

/** A run hands over to another one after so long: it must end well before its time is up, however many events keep coming. */
const LONGEST_MS = 60_000;

/** SQLSTATEs of what is wrong with the data: data exceptions, broken constraints, limits of the program. */
const isOfData = (error: unknown): boolean => /^(22|23|54)/.test(errorCode(error) ?? '');

/** Groups events until none waits. One run at a time works in a process; those that come meanwhile have it look again. */
@Injectable()
export class GroupErrorEventsProcessor extends JobProcessor {
  readonly job = GroupErrorEvents;
  private readonly logger = new Logger(GroupErrorEventsProcessor.name);
  private busy = false;
  private again = false;

  constructor(
    private readonly grouping: Grouping,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    this.again = true;
    if (this.busy) return;
    this.busy = true;
    try {
      await this.drain(signal);
    } finally {
      this.busy = false;
    }
  }

  private async drain(signal: AbortSignal): Promise<void> {
    const end = performance.now() + LONGEST_MS;
    while (this.again) {
      this.again = false;
      while ((await this.groupNext()) > 0) {
        signal.throwIfAborted();
        if (performance.now() < end) continue;
        await this.transactions.run((tx) => this.jobs.enqueue(tx, GroupErrorEvents, {}));
        return;
      }
    }
  }

  private async groupNext(): Promise<number> {
    try {
      return await this.grouping.group(AT_ONCE);
    } catch (error) {
      if (!isOfData(error)) throw error;
      this.logger.warn(`The database refuses a batch of events: ${(error as Error).message}`);
      return this.groupOneByOne();
    }
  }

  /** One event that the database refuses must not hold up all others. */
  private async groupOneByOne(): Promise<number> {
    let done = 0;
    while (done < AT_ONCE && (await this.groupOne()) > 0) done += 1;
    return done;
  }

  private async groupOne(): Promise<number> {
    try {
      return await this.grouping.group(1);
    } catch (error) {
      if (!isOfData(error)) throw error;
      this.logger.error(`The database refuses an event: ${(error as Error).message}`);
      return this.grouping.group(1, believeNothing);
    }
  }
}
