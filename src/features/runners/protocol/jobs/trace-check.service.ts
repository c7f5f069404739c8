import { crc32 } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { TracesService } from '#core/ci/traces/traces.service.js';
import type { UpdateJobParams } from './job-update.params.js';

/** A runner that says to have sent more than there is is asked to wait so long, then it is believed. */
const PATIENCE_SECONDS = 300;

const CHECKSUM = /^crc32:([0-9a-f]{8})$/i;

/** Writes down the first time, and says how long ago that was: null the first time. */
const CHECKED = `with job as (select id, trace_checked_at as at from ci_jobs where id = $1),
  marked as (update ci_jobs j set trace_checked_at = now() from job where j.id = job.id and job.at is null)
  select extract(epoch from now() - at)::float8 as seconds from job`;

/** Whether everything has arrived that a job has said, before it ends. */
@Injectable()
export class TraceCheckService {
  private readonly logger = new Logger(TraceCheckService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly traces: TracesService,
  ) {}

  /** Whether the job may end: what its runner says to have sent is there, or will not come any more. */
  async isFinal(jobId: number, { checksum, output }: UpdateJobParams): Promise<boolean> {
    const digits = CHECKSUM.exec(output?.checksum ?? checksum ?? '')?.[1];
    const bytes = output?.bytesize;
    if (digits === undefined && bytes === undefined) return true;
    const size = await this.traces.size(jobId);
    const isShort = bytes !== undefined && size < bytes;
    if (!isShort && (digits === undefined || (await this.checksum(jobId)) === Number.parseInt(digits, 16)))
      return true;
    const waited = await this.waited(jobId);
    if (waited === null) return false;
    if (isShort && waited < PATIENCE_SECONDS) return false;
    this.logger.warn(`The trace of job ${jobId} is not what its runner says to have sent`);
    return true;
  }

  private async checksum(jobId: number): Promise<number> {
    const { stream } = await this.traces.read(jobId);
    let sum = 0;
    for await (const chunk of stream) sum = crc32(chunk as Buffer, sum);
    return sum;
  }

  /** Seconds since the trace was first found to be another one. */
  private waited(jobId: number): Promise<number | null> {
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<{ seconds: number | null }[]>(CHECKED, [jobId]);
      return row?.seconds ?? null;
    });
  }
}
