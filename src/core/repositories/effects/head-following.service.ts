import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { afterCommit, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isHead, mayBeHead, pointHead } from '../git/branches.js';
import { MeasureRepositoryJob } from '../measure/measure-repository.job.js';
import { RunningPushesService } from '../pushes/running-pushes.service.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';

/** More changes of the default branch than follow each other while git is asked. */
const MAX_ROUNDS = 5;

const FIND = 'select default_branch as branch from projects where id = $1';

/** Updates HEAD to the committed default branch; idempotent. */
@Injectable()
export class HeadFollowingService {
  private readonly logger = new Logger(HeadFollowingService.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly running: RunningPushesService,
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
   * repositories that are being moved. Locks nothing, for git may take long: looks again afterwards, as another
   * change of the default branch may have been followed in the meantime.
   */
  async follow(repository: OpenRepository): Promise<void> {
    const { ownerType, ownerId, kind } = repository;
    if (ownerType !== 'Project' || kind !== 'code') return;
    let { path } = repository;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const wanted = await this.database.one<{ branch: string | null }>(FIND, [ownerId]);
      const branch = wanted?.branch ?? null;
      if (branch === null || (await isHead(path, branch)) || !(await mayBeHead(path, branch))) return;
      const now = await this.repositories.openOrNull(repository);
      if (!now || !(await this.point(now, branch))) return;
      ({ path } = now);
    }
    this.logger.warn(`HEAD of repository ${repository.id} does not follow the default branch`);
  }

  private point(repository: OpenRepository, branch: string): Promise<boolean> {
    const work = async (): Promise<boolean> => {
      await pointHead(repository.path, branch);
      return true;
    };
    return this.running.whileWritable(repository, work, () => false);
  }
}
