import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { git } from '#core/repositories/git/git.js';
import { resolveCommits } from '#core/repositories/git/resolve.js';
import { RunningPushes } from '#core/repositories/pushes/running-pushes.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { headRef } from '../code/following/merge-request-refs.js';
import { KeepHeadsJob, type KeptHeads } from './keep-heads.job.js';

/** A repository that moves is looked at again after so long. */
const RETRY_MS = 15_000;

/** Open ones with a source follow it. */
const FIND = `select iid, head_sha as head from merge_requests where project_id = $1 and iid = any($2::bigint[]) and head_sha is not null
  and (state in ('closed', 'merged') or source_project_id is null)`;

/** Makes the refs with two processes of git, however many there are. */
@Injectable()
export class KeepHeadsProcessor extends JobProcessor<KeptHeads> {
  readonly job = KeepHeadsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly repositories: RepositoriesService,
    private readonly running: RunningPushes,
  ) {
    super();
  }

  async process(payload: KeptHeads): Promise<void> {
    const { projectId, iids } = payload;
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository) return;
    const push = await this.running.begin(repository, null);
    if (push === null) {
      await this.transactions.run((tx) =>
        this.jobs.enqueue(tx, KeepHeadsJob, payload, { delayMs: RETRY_MS }),
      );
      return;
    }
    try {
      const rows = await this.database.long<{ iid: number; head: string }>(FIND, [projectId, iids]);
      const found = await resolveCommits(
        repository.path,
        rows.map(({ head }) => head),
      );
      const kept = rows.filter(({ head }, at) => found[at] === head);
      const lines = kept.map(({ iid, head }) => `update ${headRef(iid)}\0${head}\0\0`);
      if (lines.length > 0)
        await git(repository.path, ['update-ref', '-z', '--stdin'], { input: lines.join('') });
    } finally {
      await this.running.cancel(push);
    }
  }
}
