import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isOutage } from '#kernel/database/transient.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RunningPushesService } from '../pushes/running-pushes.service.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import { CommitKeepingService } from './commit-keeping.service.js';
import { KeepCommitsJob, NOT_COLLECTED } from './keep-commits.job.js';

/** Projects per run; the next run continues after them. */
const PROJECTS = 200;
/** Repositories per run whose names are collected. */
const COLLECTED = 200;

/** Skips new repositories for a while, so that rows being written in the meantime are found. */
const TO_COLLECT = `select id from repositories where ${NOT_COLLECTED}
  and created_at < now() - interval '1 minute' order by id limit ${COLLECTED}`;

/** Steps from project to project, regardless of their number of names. */
const NAMED = `with recursive p(id) as (
    select min(project_id) from named_commits where project_id > $1
    union all
    select (select min(project_id) from named_commits where project_id > p.id) from p where p.id is not null)
  select id from p where id is not null limit ${PROJECTS}`;

const FORGET_GONE = `delete from named_commits n where project_id = $1
  and not exists (select 1 from repositories where owner_type = 'Project' and owner_id = $1 and kind = 'code')`;

/** Keeps recently named commits. The next run retries repositories that cannot be changed now. */
@Injectable()
export class KeepCommitsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = KeepCommitsJob;
  private readonly logger = new Logger(KeepCommitsProcessor.name);
  /** Projects that wait long must not block others. */
  private last = 0;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repositories: RepositoriesService,
    private readonly running: RunningPushesService,
    private readonly keeping: CommitKeepingService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    for (const { id } of await this.database.long<{ id: number }>(TO_COLLECT, []))
      await this.collect(id, signal);
    const projects = await this.database.long<{ id: number }>(NAMED, [this.last]);
    for (const { id } of projects) {
      signal.throwIfAborted();
      await this.keep(id, signal);
    }
    this.last = projects.length < PROJECTS ? 0 : (projects.at(-1)?.id ?? 0);
  }

  private async collect(repositoryId: number, signal: AbortSignal): Promise<void> {
    try {
      await this.keeping.collect(repositoryId);
    } catch (error) {
      if (signal.aborted || isOutage(error)) throw error;
      this.logger.warn(`Commits of repository ${repositoryId} could not be collected yet: ${String(error)}`);
    }
  }

  private async keep(projectId: number, signal: AbortSignal): Promise<void> {
    try {
      const repository = await this.repositories.openOrNull(projectRepository(projectId));
      if (!repository) {
        await this.transactions.run((tx) => tx.query(FORGET_GONE, [projectId]));
        return;
      }
      if (repository.readOnly) return;
      const work = (): Promise<void> => this.keeping.keepNamed(repository, signal);
      await this.running.whileWritable(repository, work, () => undefined);
    } catch (error) {
      if (signal.aborted) throw error;
      this.logger.warn(`Commits of project ${projectId} could not be kept yet: ${String(error)}`);
    }
  }
}
