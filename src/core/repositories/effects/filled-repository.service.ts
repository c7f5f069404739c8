import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { MeasureRepositoryJob } from '../measure/measure-repository.job.js';
import type { OpenRepository } from '../repositories.service.js';

const FILLED = `update projects set empty_repo = false, default_branch = $2, last_activity_at = now()
  where id = $1 and (empty_repo or default_branch is distinct from $2)`;

/** Records a repository that was filled by an import: it is not a push, so nothing else follows. */
@Injectable()
export class FilledRepositoryService {
  constructor(private readonly jobs: Jobs) {}

  /** Records it; `branch`: the branch of HEAD, null if the repository has none. */
  async record(
    tx: Tx,
    { id, ownerType, ownerId, kind }: OpenRepository,
    branch: string | null,
  ): Promise<void> {
    if (ownerType === 'Project' && kind === 'code' && branch !== null)
      await tx.query(FILLED, [ownerId, branch]);
    await this.jobs.enqueue(tx, MeasureRepositoryJob, { repositoryId: id });
  }
}
