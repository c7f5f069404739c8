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
import { refFolder } from '../refs/deployment-refs.js';
import { KeepDeploymentRefsJob, type KeptDeployments } from './keep-deployment-refs.job.js';

/** A repository that moves is looked at again after so long. */
const RETRY_MS = 15_000;

const FIND = `select d.iid, d.sha, e.slug from deployments d join environments e on e.id = d.environment_id
  where d.project_id = $1 and d.iid = any($2::bigint[])`;

/** Makes the refs with two processes of git, however many there are; those of deployments that are gone meanwhile go with their environment. */
@Injectable()
export class KeepDeploymentRefsProcessor extends JobProcessor<KeptDeployments> {
  readonly job = KeepDeploymentRefsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly repositories: RepositoriesService,
    private readonly running: RunningPushes,
  ) {
    super();
  }

  async process(payload: KeptDeployments): Promise<void> {
    const { projectId, iids } = payload;
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository) return;
    const push = await this.running.begin(repository, null);
    if (push === null) {
      await this.transactions.run((tx) =>
        this.jobs.enqueue(tx, KeepDeploymentRefsJob, payload, { delayMs: RETRY_MS }),
      );
      return;
    }
    try {
      const rows = await this.database.long<{ iid: number; sha: string; slug: string }>(FIND, [
        projectId,
        iids,
      ]);
      const found = await resolveCommits(
        repository.path,
        rows.map(({ sha }) => sha),
      );
      const kept = rows.filter(({ sha }, at) => found[at] === sha);
      const lines = kept.map(({ iid, sha, slug }) => `update ${refFolder(slug)}${iid}\0${sha}\0\0`);
      if (lines.length > 0)
        await git(repository.path, ['update-ref', '-z', '--stdin'], { input: lines.join('') });
    } finally {
      await this.running.cancel(push);
    }
  }
}
