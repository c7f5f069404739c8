import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { MoveRetriesService } from '../effects/move-retries.service.js';
import { hasBranch, pointHead } from '../git/branches.js';
import { git } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import { MeasureRepositoryJob } from '../measure/measure-repository.job.js';
import { repositoryReadOnly } from '../pushes/push-errors.js';
import { RunningPushesService } from '../pushes/running-pushes.service.js';
import { BRANCHES, listRefs, TAGS } from '../refs/read-refs.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import { CopyForkJob } from './copy-fork.job.js';
import { ForkStatesService } from './fork-states.service.js';

const TIMEOUT_MS = 3_600_000;

/** A fork that has not been copied yet; its source may no longer exist. */
const WANTED = `select p.forked_from_id as source_id, p.default_branch from projects p
  where p.id = $1 and p.settings->>'import_status' = 'scheduled' and not p.pending_delete`;

/**
 * Only branches and tags: neither internal refs nor those of merge requests. Refs pushed to the fork in the
 * meantime are not overwritten.
 */
const FETCH = [
  '-c',
  'protocol.file.allow=always',
  'fetch',
  '--quiet',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--',
];
const REFS = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'];

/**
 * Copies the branches and tags of the source to a fork; later if the fork is being moved. Idempotent: existing
 * refs are not fetched again.
 */
@Injectable()
export class CopyForkProcessor extends JobProcessor<Readonly<{ projectId: number }>> {
  readonly job = CopyForkJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repositories: RepositoriesService,
    private readonly pushes: RunningPushesService,
    private readonly states: ForkStatesService,
    private readonly jobs: Jobs,
    private readonly retries: MoveRetriesService,
  ) {
    super();
  }

  process(payload: Readonly<{ projectId: number }>, { signal }: JobContext): Promise<void> {
    return this.retries.run(this.job, payload, () => this.fill(payload.projectId, signal));
  }

  override async failed({ projectId }: { readonly projectId: number }): Promise<void> {
    await this.transactions.run((tx) => this.states.fail(tx, projectId));
  }

  private async fill(projectId: number, signal: AbortSignal): Promise<void> {
    const fork = await this.database.one<{ source_id: number | null; default_branch: string | null }>(
      WANTED,
      [projectId],
    );
    if (!fork) return;
    const source =
      fork.source_id === null ? null : await this.repositories.openOrNull(projectRepository(fork.source_id));
    const branch = fork.default_branch ?? 'main';
    const target = source ? await this.repositories.ensure(projectRepository(projectId), branch) : null;
    const isBegun = source && target ? await this.copy(source, target, branch, signal) : false;
    await this.transactions.run(async (tx) => {
      await this.states.finish(tx, projectId, isBegun ? branch : null);
      if (target) await this.jobs.enqueue(tx, MeasureRepositoryJob, { repositoryId: target.id });
    });
  }

  /** Returns whether the fork has its default branch now. @throws 400 while it moves */
  private copy(
    source: OpenRepository,
    target: OpenRepository,
    branch: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const options = { kind: 'long', timeoutMs: TIMEOUT_MS, signal } as const;
    const work = async (): Promise<boolean> => {
      await git(target.path, [...FETCH, source.path, ...REFS], options).catch(async (error: unknown) => {
        // Git also fails for a ref that it may not overwrite, after it has copied all others.
        if (!(error instanceof GitFailure && (await hasAllRefs(source.path, target.path)))) throw error;
      });
      const isBegun = await hasBranch(target.path, branch);
      if (isBegun) await pointHead(target.path, branch);
      return isBegun;
    };
    return this.pushes.whileWritable(target, work, () => {
      throw repositoryReadOnly();
    });
  }
}

/** Returns whether a fork has all branches and tags of its source, by their names. */
async function hasAllRefs(source: string, fork: string): Promise<boolean> {
  for (const folder of [BRANCHES, TAGS] as const) {
    const there = new Set((await listRefs(fork, folder)).map(({ name }) => name));
    if ((await listRefs(source, folder)).some(({ name }) => !there.has(name))) return false;
  }
  return true;
}
