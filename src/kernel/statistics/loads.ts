import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { AnalyzeLoadedJob } from './analyze-loaded.job.js';

/** Records that this process writes before somebody looks which tables have grown; each may be many rows. */
const RECORDS = 1_000;

/** A connection tells within this time what it has written. */
const TOLD_AFTER_MS = 11_000;

/** Jobs that load much tell it here: the statistics of the tables are not left to whatever looks at them by itself. */
@Injectable()
export class Loads {
  private records = 0;

  constructor(private readonly jobs: Jobs) {}

  /** So many records have been written in `tx`. */
  async note(tx: Tx, records: number): Promise<void> {
    this.records += records;
    if (this.records < RECORDS) return;
    this.records = 0;
    await this.jobs.enqueue(tx, AnalyzeLoadedJob, {}, { delayMs: TOLD_AFTER_MS });
  }
}
