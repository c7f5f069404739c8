import { crc32 } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { TracesService } from '#core/ci/traces/traces.service.js';
import type { UpdateJobParams } from './job-update.params.js';

/** How long a runner that has sent more than was received is asked to wait before the job ends anyway. */
const PATIENCE_SECONDS = 300;

const CHECKSUM = /^crc32:([0-9a-f]{8})$/i;

/** Records the first check, and returns how long ago that was: null for the first. */
const CHECKED = `with job as (select id, trace_checked_at as at from ci_jobs where id = $1),
  marked as (update ci_jobs j set trace_checked_at = now() from job where j.id = job.id and job.at is null)
  select extract(epoch from now() - at)::float8 as seconds from job`;

/** Checks before the end of a job that its whole trace has arrived. */
@Injectable()
export class TraceCheckService {
  private readonly logger = new Logger(TraceCheckService.name);
  /** Checksums that are being computed, by job and size. */
  private readonly sums = new Map<string, Promise<number>>();

  constructor(
    private readonly transactions: Transactions,
    private readonly traces: TracesService,
  ) {}

  /** Returns whether the job may end: its trace is complete, or will not be completed. */
  async isFinal(jobId: number, { checksum, output }: UpdateJobParams): Promise<boolean> {
    const digits = CHECKSUM.exec(output?.checksum ?? checksum ?? '')?.[1];
    const bytes = output?.bytesize;
    if (digits === undefined && bytes === undefined) return true;
    const size = await this.traces.size(jobId);
    const isShort = bytes !== undefined && size < bytes;
    if (
      !isShort &&
      (digits === undefined || (await this.checksum(jobId, size)) === Number.parseInt(digits, 16))
    )
      return true;
    const waited = await this.waited(jobId);
    if (waited === null) return false;
    if (isShort && waited < PATIENCE_SECONDS) return false;
    this.logger.warn(`The trace of job ${jobId} differs from what its runner reports as sent`);
    return true;
  }

  /** One for all requests at the same time: a trace is long, and a runner may send any number of them. */
  private checksum(jobId: number, size: number): Promise<number> {
    const key = `${jobId}:${size}`;
    const known = this.sums.get(key);
    if (known) return known;
    const sum = this.computed(jobId).finally(() => this.sums.delete(key));
    this.sums.set(key, sum);
    return sum;
  }

  private async computed(jobId: number): Promise<number> {
    const { stream } = await this.traces.read(jobId);
    let sum = 0;
    for await (const chunk of stream) sum = crc32(chunk as Buffer, sum);
    return sum;
  }

  /** Returns the seconds since the trace was first found incomplete. */
  private waited(jobId: number): Promise<number | null> {
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<{ seconds: number | null }[]>(CHECKED, [jobId]);
      return row?.seconds ?? null;
    });
  }
}
