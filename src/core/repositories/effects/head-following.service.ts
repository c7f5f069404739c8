import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { afterCommit, Transactions, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isHead, mayBeHead, pointHead } from '../git/branches.js';
import { MeasureRepositoryJob } from '../measure/measure-repository.job.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';

interface Row {
  readonly branch: string | null;
  readonly readOnly: boolean;
}

const FIND =
  'select default_branch as branch, repository_read_only as "readOnly" from projects where id = $1';

/** Moves of the repository and changes of its default branch lock this row too. */
const LOCK = `${FIND} for no key update`;

/** Updates HEAD to the committed default branch; idempotent. */
@Injectable()
export class HeadFollowingService {
  private readonly logger = new Logger(HeadFollowingService.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repositories: RepositoriesService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Updates HEAD after the commit of the transaction; if that fails or the process crashes, the measuring job
   * does it.
   */
  async followAfter(tx: Tx, repository: OpenRepository): Promise<void> {
    await this.jobs.enqueue(tx, MeasureRepositoryJob, { repositoryId: repository.id });
    afterCommit(tx, () =>
      this.follow(repository).catch((error: unknown) => {
        this.logger.warn(`HEAD of repository ${repository.id} will be set later: ${String(error)}`);
      }),
    );
  }

  /**
   * Points HEAD to the default branch of the project, unless that branch is missing while others exist. Skips
   * repositories that are being moved, and branches that another change has replaced: that one is followed too.
   */
  async follow(repository: OpenRepository): Promise<void> {
    const { ownerType, ownerId, kind } = repository;
    if (ownerType !== 'Project' || kind !== 'code') return;
    const wanted = await this.database.one<Row>(FIND, [ownerId]);
    const branch = wanted?.branch ?? null;
    if (branch === null || (await isHead(repository.path, branch))) return;
    // Asked before the row is locked, for git may take long.
    if (!(await mayBeHead(repository.path, branch))) return;
    await this.transactions.run(async (tx) => {
      const [project] = await tx.query<Row[]>(LOCK, [ownerId]);
      if (project?.branch !== branch || project.readOnly) return;
      const now = await this.repositories.openOrNull(repository);
      if (now) await pointHead(now.path, branch);
    });
  }
}
