import { Injectable, Logger } from '@nestjs/common';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { GroupErrorEventsJob } from './group-events.job.js';
import { believeNothing, GroupingService, type Grouped } from './grouping.service.js';

/** Events per transaction. */
const AT_ONCE = 500;

/** Time after which a run hands over to another, well before its timeout, even if events keep arriving. */
const LONGEST_MS = 60_000;

/** SQLSTATEs of errors in the data: data exceptions, constraint violations, program limits. */
const isOfData = (error: unknown): boolean => /^(22|23|54)/.test(errorCode(error) ?? '');

/** Groups events until none are waiting. One run at a time per process; other jobs make it look again. */
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

  /** Later events have their own, slightly delayed job: larger batches cost less per event. */
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
      // Right after checking `again`: a later caller must find this idle.
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
      this.logger.warn(`The database rejected a batch of events: ${(error as Error).message}`);
      return this.groupOneByOne();
    }
  }

  /** An event that the database rejects must not block all others. */
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
      this.logger.error(`The database rejected an event: ${(error as Error).message}`);
      return this.grouping.group(1, believeNothing);
    }
  }
}
