import { Injectable } from '@nestjs/common';
import { notFound } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { JobListing, type JobFilter, type ListedJob } from '#kernel/queue/console/job-listing.js';
import { QueueStates, type QueueStanding } from '#kernel/queue/console/queue-states.js';

/** Reads background jobs and queues for administrators. */
@Injectable()
export class BackgroundJobsQueries {
  constructor(
    private readonly listing: JobListing,
    private readonly states: QueueStates,
  ) {}

  /** Returns a page of the jobs that match the filter. */
  list(filter: JobFilter, page: Page): Promise<ListedJob[]> {
    return page.from('BackgroundJob', async (limit, offset) => ({
      rows: await this.listing.list(filter, limit, offset),
      total: (horizon) => this.listing.count(filter, horizon),
    }));
  }

  /** Returns all queues, by name. */
  queues(): Promise<readonly QueueStanding[]> {
    return this.states.now();
  }

  /** Returns a queue. @throws 404 */
  async queue(name: string): Promise<QueueStanding> {
    const found = (await this.queues()).find(({ queue }) => queue === name);
    if (!found) throw notFound('Queue');
    return found;
  }
}
