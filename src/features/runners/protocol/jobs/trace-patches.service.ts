import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import type { RunnerJob } from '#core/ci/tokens/job-credential.finder.js';
import { TracesService, type Appended } from '#core/ci/traces/traces.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { FinishJob } from './finish-job.use-case.js';
import type { TracePatch } from './trace-patch.js';

const MEBIBYTE = 1024 * 1024;

/** Appends parts of traces, up to the limit. */
@Injectable()
export class TracePatchesService {
  constructor(
    private readonly traces: TracesService,
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
    private readonly finish: FinishJob,
  ) {}

  /** Appends a part. @throws 403 if the trace exceeds its limit, which fails the job */
  async append(job: RunnerJob, { start, data }: TracePatch, isDebug: boolean): Promise<Appended> {
    if (start === null) return { isTaken: false, size: await this.traces.size(job.id) };
    if (isDebug && !job.debugTrace) await this.markDebug(job.id);
    if (this.exceeds(start + data.length)) await this.refuse(job.id, start);
    return this.traces.append(job.id, start, data, job.token);
  }

  private exceeds(size: number): boolean {
    const { ci_jobs_trace_size_limit: limit } = this.settings.limits;
    return limit > 0 && size > limit * MEBIBYTE;
  }

  /** Rejects a wrong start, without other effects. */
  private async refuse(jobId: number, start: number): Promise<void> {
    const size = await this.traces.size(jobId);
    if (start !== size) return;
    await this.finish.run(jobId, 'failed', { failureReason: 'trace_size_exceeded' });
    throw new HttpError(403, { message: '403 Forbidden' }, { 'Job-Status': 'failed' });
  }

  /** From here on only users who may see secrets may read the trace. */
  private async markDebug(jobId: number): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query(`update ci_jobs set debug_trace = true where id = $1 and status = 'running'`, [jobId]),
    );
  }
}
