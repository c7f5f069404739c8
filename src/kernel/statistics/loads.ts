import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { AnalyzeLoadedJob } from './analyze-loaded.job.js';

/** Number of records written by this process before the tables are checked; each may be many rows. */
const RECORDS = 1_000;

/** A connection reports what it has written within this time. */
const TOLD_AFTER_MS = 11_000;

/** Jobs that load much data report it here, so that statistics do not have to wait for autovacuum. */
@Injectable()
export class Loads {
  private records = 0;

  constructor(private readonly jobs: Jobs) {}

  /** Reports the number of records written in `tx`. */
  async note(tx: Tx, records: number): Promise<void> {
    this.records += records;
    if (this.records < RECORDS) return;
    this.records = 0;
    await this.jobs.enqueue(tx, AnalyzeLoadedJob, {}, { delayMs: TOLD_AFTER_MS });
  }
}
