import { Injectable, Logger } from '@nestjs/common';
import { errorCode, Transactions } from '#kernel/database/transactions.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { GroupErrorEventsJob } from './group-events.job.js';
import { believeNothing, GroupingService, type Grouped } from './grouping.service.js';

/** Events of one transaction. */
const AT_ONCE = 500;

/** A run hands over to another one after so long: it must end well before its time is up, however many events keep coming. */
const LONGEST_MS = 60_000;

/** SQLSTATEs of what is wrong with the data: data exceptions, broken constraints, limits of the program. */
const isOfData = (error: unknown): boolean => /^(22|23|54)/.test(errorCode(error) ?? '');

/** Groups events until none waits. One run at a time works in a process; those that come meanwhile have it look again. */
@Injectable()
export class GroupEventsProcessor extends JobProcessor {
  readonly job = GroupErrorEventsJob;
  private readonly logger = new Logger(GroupEventsProcessor.name);
  private busy = false;
  private again = false;

  constructor(
    private readonly grouping: GroupingService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  /** Events that come meanwhile have a job of their own, a little later: in larger batches each costs less. */
  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    this.again = true;
    if (this.busy) return;
    this.busy = true;
    const end = performance.now() + LONGEST_MS;
    try {
      while (this.again) {
        signal.throwIfAborted();
        if (performance.now() > end) {
          await this.handOver();
          return;
        }
        this.again = false;
        const { hasMore } = await this.groupNext();
        if (hasMore) this.again = true;
      }
    } finally {
      // At once after the last look at `again`: whoever sets it later must find nobody busy.
      this.busy = false;
    }
  }

  private async handOver(): Promise<void> {
    await this.transactions.run((tx) => this.jobs.enqueue(tx, GroupErrorEventsJob, {}));
  }

  private async groupNext(): Promise<Grouped> {
    try {
      return await this.grouping.group(AT_ONCE);
    } catch (error) {
      if (!isOfData(error)) throw error;
      this.logger.warn(`The database refuses a batch of events: ${(error as Error).message}`);
      return this.groupOneByOne();
    }
  }

  /** One event that the database refuses must not hold up all others. */
  private async groupOneByOne(): Promise<Grouped> {
    let grouped = await this.groupOne();
    for (let done = 1; done < AT_ONCE && grouped.hasMore; done += 1) grouped = await this.groupOne();
    return grouped;
  }

  private async groupOne(): Promise<Grouped> {
    try {
      return await this.grouping.group(1);
    } catch (error) {
      if (!isOfData(error)) throw error;
      this.logger.error(`The database refuses an event: ${(error as Error).message}`);
      return this.grouping.group(1, believeNothing);
    }
  }
}
