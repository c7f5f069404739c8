import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { ObjectNotFound, ObjectStorage, WrongAnswer } from '#kernel/object-storage/object-storage.js';
import { OverBudget } from '#kernel/threads/over-budget.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import { LOST, MAX_REPORT_BYTES, TOO_LARGE, unread, type ReadReport } from './read-junit.js';
import type readTask from './read-junit.task.js';

/** An artifact that contains a report. */
export interface ReportArtifact {
  readonly id: number;
  readonly key: string;
  readonly size: number;
}

const CUT = 'the report could not be read as a whole';

const COUNTS = [
  'total_time',
  'total_count',
  'success_count',
  'failed_count',
  'skipped_count',
  'error_count',
] as const;

/** The artifact may be deleted by now, and others may have stored the same report. */
const KEEP = `insert into ci_test_reports (artifact_id, bytes, error, cases, ${COUNTS.join(', ')})
  select a.id, $2, $3, $4, ${COUNTS.map((_, at) => `$${at + 5}`).join(', ')}
  from ci_job_artifacts a where a.id = $1 for key share on conflict do nothing`;

const CASES = 'select artifact_id as id, cases from ci_test_reports where artifact_id = any($1)';

/** Select list of the report `r` (ci_test_reports) without its tests; null if it has not been read yet. */
export const KEPT_REPORT = `case when r.artifact_id is not null then json_build_object('bytes', r.bytes, 'error', r.error,
  'counts', json_build_object(${COUNTS.map((name) => `'${name}', r.${name}`).join(', ')})) end`;

/** Parses reports in a thread, and stores the result, since artifacts never change. */
@Injectable()
export class KeptReportsService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly storage: ObjectStorage,
    private readonly threads: ThreadsService,
    private readonly transactions: Transactions,
  ) {}

  /** Parses and stores a report. @throws 429 and 503 if too much is being parsed at the moment */
  async read({ id, key, size }: ReportArtifact): Promise<ReadReport> {
    let report: ReadReport;
    try {
      const packed = size > MAX_REPORT_BYTES ? null : await this.packed(key, size);
      report = packed
        ? await this.threads.run<typeof readTask>('read-junit', packed, { transfer: [packed.buffer] })
        : unread(TOO_LARGE);
    } catch (error) {
      // Not stored: another time the budget may suffice, the file be restored, or the store send all of it.
      if (error instanceof OverBudget) return unread(error.words);
      if (error instanceof ObjectNotFound) return unread(LOST);
      if (error instanceof WrongAnswer) return unread(CUT);
      throw error;
    }
    const { bytes, error, cases, counts } = report;
    const row = [id, bytes, error, Buffer.from(cases), ...COUNTS.map((name) => counts[name])];
    await this.transactions.run((tx) => tx.query(KEEP, row));
    return report;
  }

  /** Returns the tests of parsed reports as gzipped JSON, by artifact id. */
  async cases(ids: readonly number[]): Promise<Map<number, Uint8Array>> {
    const rows = await this.database.long<{ id: number; cases: Buffer }>(CASES, [ids]);
    return new Map(rows.map(({ id, cases }) => [id, cases]));
  }

  /** In its own buffer, which can be transferred to a thread. */
  private async packed(key: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
    const packed = new Uint8Array(size);
    packed.set(await this.storage.whole(key, size));
    return packed;
  }
}
