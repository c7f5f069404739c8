import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { OverBudget } from '#kernel/threads/over-budget.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import { ArtifactStoreService } from '../artifacts/artifact-store.service.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { ArchiveTraceJob, type ArchiveTracePayload } from './archive-trace.job.js';
import type findCoverageTask from './find-coverage.task.js';
import { TracesService } from './traces.service.js';

interface Row {
  readonly projectId: number;
  readonly pipelineId: number;
  readonly pattern: string | null;
}

const FIND = `select j.project_id as "projectId", j.pipeline_id as "pipelineId",
    coalesce(d.definition ->> 'coverage', p.settings ->> 'build_coverage_regex') as pattern
  from ci_jobs j join projects p on p.id = j.project_id left join ci_job_definitions d on d.job_id = j.id
  where j.id = $1 and j.kind = 'build' and j.erased_at is null and j.status in ('success', 'failed', 'canceled')`;

const IS_ARCHIVED = `select 1 from ci_job_artifacts where job_id = $1 and file_type = 'trace'`;
const IS_ERASED = 'select 1 from ci_jobs where id = $1 and erased_at is not null';

/** Bytes at the end of a trace that are searched for the coverage. */
const END_BYTES = 512 * 1024;

/** Moves the trace of a finished job to the object storage. Concurrent readers continue in the object. */
@Injectable()
export class ArchiveTraceProcessor extends JobProcessor<ArchiveTracePayload> {
  readonly job = ArchiveTraceJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly traces: TracesService,
    private readonly store: ArtifactStoreService,
    private readonly pipelines: PipelinesService,
    private readonly threads: ThreadsService,
  ) {
    super();
  }

  async process({ jobId }: ArchiveTracePayload): Promise<void> {
    const row = await this.database.one<Row>(FIND, [jobId]);
    if (!row) return;
    const size = await this.traces.size(jobId);
    if (row.pattern !== null && size > 0) await this.findCoverage(jobId, row, row.pattern, size);
    if (size === 0 || (await this.database.one(IS_ARCHIVED, [jobId]))) {
      await this.transactions.run((tx) => this.traces.remove(tx, jobId));
      return;
    }
    await this.archive(jobId, row);
  }

  private async archive(jobId: number, { projectId, pipelineId }: Row): Promise<void> {
    const { stream } = await this.traces.read(jobId);
    const staged = await this.store.stage(projectId, stream).finally(() => stream.destroy());
    const isKept = await this.transactions.run(async (tx) => {
      if (!(await this.pipelines.lockOrNull(tx, pipelineId))) return false;
      const gone = await tx.query<unknown[]>(IS_ERASED, [jobId]);
      const archived = await tx.query<unknown[]>(IS_ARCHIVED, [jobId]);
      if (gone.length > 0 || archived.length > 0) return false;
      const file = { fileType: 'trace', fileFormat: null, filename: 'job.log', expireAt: null };
      await this.store.add(tx, { id: jobId, projectId }, file, staged);
      await this.traces.remove(tx, jobId);
      return true;
    });
    if (!isKept) await this.store.discard(staged);
  }

  private async findCoverage(
    jobId: number,
    { projectId }: Row,
    pattern: string,
    size: number,
  ): Promise<void> {
    const end = await this.traces.end(jobId, Math.min(size, END_BYTES));
    const input = { end: end.toString('utf8'), pattern };
    const coverage = await this.threads
      .run<typeof findCoverageTask>('find-coverage', input, { owner: `project ${projectId}` })
      .catch(nothingOverBudget);
    if (coverage === null) return;
    await this.transactions.run((tx) =>
      tx.query('update ci_jobs set coverage = $2, updated_at = now() where id = $1', [jobId, coverage]),
    );
  }
}

/** A pattern that takes too long finds nothing. */
function nothingOverBudget(error: unknown): null {
  if (error instanceof OverBudget) return null;
  throw error;
}
