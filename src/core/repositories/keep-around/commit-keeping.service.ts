import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { OpenRepository } from '../repositories.service.js';
import { existingCommits, keepCommits, wholeCommits } from './keep-refs.js';

/** Commits per ref; their ids are arguments of one git call. */
const BATCH = 1_000;

/** Names from rows that are older than `named_commits`, or than the repository. */
const COLLECT = `with due as (update repositories set commits_collected_at = now()
    where id = $1 and commits_collected_at is null returning owner_id)
  select collect_commits_of(owner_id) from due`;

/** Missing commits that git is asked about at a time. */
const MISSING_BATCH = 10_000;

const MISSING = `select sha from kept_commits where project_id = $1 and is_missing and sha > $2
  order by sha limit ${MISSING_BATCH}`;

const NAME = 'insert into named_commits (project_id, sha) select $1, unnest($2::text[])';

const NEXT = `select distinct sha from named_commits where project_id = $1 order by sha limit ${BATCH}`;

const REMEMBER = `insert into kept_commits (project_id, sha, is_missing)
  select p.id, x.sha, x.sha <> all($3::text[]) from projects p cross join unnest($2::text[]) x(sha) where p.id = $1
  on conflict (project_id, sha) do update set is_missing = excluded.is_missing`;

const FORGET = `delete from named_commits where project_id = $1 and sha = any($2)`;

/**
 * Protects all commits that the database names from garbage collection: those of merge requests and their
 * versions, pipelines, deployments and notes.
 */
@Injectable()
export class CommitKeepingService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
  ) {}

  /** Records the commits of a project that were named before names were recorded. */
  async collect(repositoryId: number): Promise<void> {
    await this.transactions.run((tx) => tx.query(COLLECT, [repositoryId]));
  }

  /**
   * Keeps all named commits; call it before a clean-up, while the repository cannot move. @throws GitFailure
   */
  async keepAll(repository: OpenRepository, signal: AbortSignal): Promise<void> {
    if (!isCode(repository)) return;
    await this.collect(repository.id);
    await this.nameFound(repository, signal);
    await this.keepNamed(repository, signal);
  }

  /**
   * Keeps the commits named since the last run; call it while the repository cannot move. @throws GitFailure
   */
  async keepNamed({ ownerId, path }: OpenRepository, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const rows = await this.database.long<{ sha: string }>(NEXT, [ownerId]);
      const shas = rows.map(({ sha }) => sha);
      if (shas.length === 0) return;
      const whole = await wholeCommits(path, shas);
      await keepCommits(path, whole);
      await this.transactions.run(async (tx) => {
        await tx.query(REMEMBER, [ownerId, shas, whole]);
        await tx.query(FORGET, [ownerId, shas]);
      });
    }
  }

  /** Names the commits that were missing before and exist by now. */
  private async nameFound({ ownerId, path }: OpenRepository, signal: AbortSignal): Promise<void> {
    for (let last = ''; ;) {
      signal.throwIfAborted();
      const rows = await this.database.long<{ sha: string }>(MISSING, [ownerId, last]);
      const shas = rows.map(({ sha }) => sha);
      const found = shas.length > 0 ? await existingCommits(path, shas) : [];
      if (found.length > 0) await this.transactions.run((tx) => tx.query(NAME, [ownerId, found]));
      if (shas.length < MISSING_BATCH) return;
      last = shas.at(-1) ?? last;
    }
  }
}

const isCode = ({ ownerType, kind }: OpenRepository): boolean => ownerType === 'Project' && kind === 'code';
