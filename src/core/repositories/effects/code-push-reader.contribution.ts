import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { hasBranch } from '../git/branches.js';
import { readmeOf } from '../measure/inspect-tree.js';
import { ProtectBranch } from '../protection/protect-branch.use-case.js';
import { PushReadersRegistry, type WriteOfPush } from '../pushes/recovery/push-readers.registry.js';
import { branchOf, NO_OBJECT, type RefChange } from '../pushes/ref-change.js';
import type { OpenRepository } from '../repositories.service.js';
import { HeadFollowingService } from './head-following.service.js';

const FIND = 'select empty_repo, default_branch from projects where id = $1';

const TOUCH = `with touched as (
    update projects set last_activity_at = greatest(last_activity_at, now()) where id = $1 returning empty_repo, default_branch)
  select empty_repo, default_branch from touched`;

const FIRST_BRANCH =
  'update projects set empty_repo = false, default_branch = $2, readme_path = $3 where id = $1';

interface PushedProject {
  readonly empty_repo: boolean;
  readonly default_branch: string | null;
}

/** The default branch of a project that was empty. */
interface FirstBranch {
  readonly branch: string;
  readonly readme: string | null;
}

/** Updates the project after a push to its code, in the transaction that records the push. */
@Injectable()
export class CodePushReaderContribution implements OnModuleInit {
  constructor(
    private readonly readers: PushReadersRegistry,
    private readonly database: ReadDatabase,
    private readonly protection: ProtectBranch,
    private readonly heads: HeadFollowingService,
  ) {}

  onModuleInit(): void {
    this.readers.register(async (repository, changes) =>
      repository.ownerType === 'Project' && repository.kind === 'code'
        ? this.read(repository, changes)
        : null,
    );
  }

  private async read(repository: OpenRepository, changes: readonly RefChange[]): Promise<WriteOfPush> {
    const { ownerId: id, path } = repository;
    const pushed = changes.filter(({ after }) => after !== NO_OBJECT).map(branchOf);
    const branches = pushed.filter((branch) => branch !== null);
    const known = branches.length > 0 ? await this.database.one<PushedProject>(FIND, [id]) : null;
    const first = known?.empty_repo ? await firstBranch(path, known.default_branch, branches) : null;
    return async (tx) => {
      const [project] = await tx.query<PushedProject[]>(TOUCH, [id]);
      if (!project?.empty_repo) return;
      // Only if another default branch was configured in the meantime, the names that were pushed have to do.
      const isAsRead = first !== null && project.default_branch === known?.default_branch;
      const chosen = isAsRead ? first : chosenOf(branches, project.default_branch);
      if (chosen) await this.begin(tx, repository, chosen);
    };
  }

  /** Sets the default branch. Idempotent, so that recording a push late gives the same result. */
  private async begin(tx: Tx, repository: OpenRepository, { branch, readme }: FirstBranch): Promise<void> {
    await tx.query(FIRST_BRANCH, [repository.ownerId, branch, readme]);
    await this.protection.run(tx, repository.ownerId, branch);
    await this.heads.followAfter(tx, repository);
  }
}

/** Chooses the default branch after the first branches: the configured one if it is there, else the first. */
async function firstBranch(
  path: string,
  configured: string | null,
  pushed: readonly string[],
): Promise<FirstBranch | null> {
  const isThere = configured !== null && (await hasBranch(path, configured));
  const branch = isThere ? configured : pushed[0];
  // The measurement also finds it, but clients that create a project with a README read its URL at once.
  return branch === undefined ? null : { branch, readme: await readmeOf(path, branch) };
}

/** Chooses it without git; the measurement finds the README. */
function chosenOf(pushed: readonly string[], configured: string | null): FirstBranch | null {
  const branch = pushed.find((name) => name === configured) ?? pushed[0];
  return branch === undefined ? null : { branch, readme: null };
}
