import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { afterCommit, Transactions, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { hasBranch, hasBranches, isHead, pointHead } from '../git/branches.js';
import { MeasureRepositoryJob } from '../measure/measure-repository.job.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';

interface Row {
  readonly branch: string | null;
  readonly readOnly: boolean;
}

const FIND =
  'select default_branch as branch, repository_read_only as "readOnly" from projects where id = $1';

/** Whoever moves the repository takes the row too, and so does whoever changes the branch. */
const LOCK = `${FIND} for no key update`;

/** Lets HEAD follow the default branch that is committed, as often as it is asked to. */
@Injectable()
export class HeadFollowingService {
  private readonly logger = new Logger(HeadFollowingService.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repositories: RepositoriesService,
    private readonly jobs: Jobs,
  ) {}

  /** Follows once the transaction has committed; where that fails or the process is lost, the measuring that follows does it. */
  async followAfter(tx: Tx, repository: OpenRepository): Promise<void> {
    await this.jobs.enqueue(tx, MeasureRepositoryJob, { repositoryId: repository.id });
    afterCommit(tx, () =>
      this.follow(repository).catch((error: unknown) => {
        this.logger.warn(`HEAD of repository ${repository.id} will be set later: ${String(error)}`);
      }),
    );
  }

  /** Makes HEAD name the default branch of the project, unless others are there and it is not. One that moves is left alone. */
  async follow(repository: OpenRepository): Promise<void> {
    const { ownerType, ownerId, kind } = repository;
    if (ownerType !== 'Project' || kind !== 'code') return;
    const wanted = await this.database.one<Row>(FIND, [ownerId]);
    if (!wanted || wanted.branch === null || (await isHead(repository.path, wanted.branch))) return;
    await this.transactions.run(async (tx) => {
      const [project] = await tx.query<Row[]>(LOCK, [ownerId]);
      if (!project || project.branch === null || project.readOnly) return;
      const now = await this.repositories.openOrNull(repository);
      if (!now) return;
      const isThere = await hasBranch(now.path, project.branch);
      if (isThere || !(await hasBranches(now.path))) await pointHead(now.path, project.branch);
    });
  }
}
