import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { git, gitText } from '#core/repositories/git/git.js';
import { OwnRefsService } from '#core/repositories/refs/own-refs.service.js';
import { KEPT_AFTER_END_MS } from './pipeline-refs.contribution.js';
import { PrunePipelineRefsJob, type PipelineRefsPayload } from './prune-pipeline-refs.job.js';

/** Retry delay while a storage move keeps the repository read-only. */
const RETRY_MS = 60_000;
/** Delay for checking recently finished pipelines again. */
const AGAIN_MS = 3_600_000;

const FOLDER = 'refs/pipelines/';

/** Pipelines that still need their refs, and whether they have finished. */
const KEPT = `select id, finished_at is not null as ended from ci_pipelines where project_id = $1 and id = any($2)
  and not (status in ('success', 'failed', 'canceled', 'skipped')
    and coalesce(finished_at, updated_at) < now() - interval '1 ms' * ${KEPT_AFTER_END_MS})`;

/** Removes refs of pipelines that finished some time ago, or were removed. */
@Injectable()
export class PrunePipelineRefsProcessor extends JobProcessor<PipelineRefsPayload> {
  readonly job = PrunePipelineRefsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly refs: OwnRefsService,
  ) {
    super();
  }

  process(payload: PipelineRefsPayload): Promise<void> {
    const { projectId } = payload;
    return this.refs.change(projectId, { job: this.job, payload, delayMs: RETRY_MS }, async (path) => {
      if (await this.prune(path, projectId)) await this.again(projectId);
    });
  }

  /** Removes refs; returns whether others will be due without any further event. */
  private async prune(path: string, projectId: number): Promise<boolean> {
    const listed = await gitText(path, ['for-each-ref', '--format=%(refname)', FOLDER]);
    const refs = new Map<number, string>();
    for (const ref of listed.split('\n')) {
      const id = Number(ref.slice(FOLDER.length));
      if (ref !== '' && Number.isSafeInteger(id)) refs.set(id, ref);
    }
    const rows = await this.database.long<{ id: number; ended: boolean }>(KEPT, [
      projectId,
      [...refs.keys()],
    ]);
    for (const { id } of rows) refs.delete(id);
    const input = [...refs.values()].map((ref) => `delete ${ref}\0\0`).join('');
    if (input !== '') await git(path, ['update-ref', '-z', '--stdin'], { input });
    return rows.some(({ ended }) => ended);
  }

  private again(projectId: number): Promise<void> {
    return this.transactions.run((tx) =>
      this.jobs.enqueue(tx, PrunePipelineRefsJob, { projectId }, { delayMs: AGAIN_MS }),
    );
  }
}
