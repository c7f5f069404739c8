import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { hasBranch } from '../git/branches.js';
import { readmeOf } from '../measure/inspect-tree.js';
import { ProtectBranch } from '../protection/protect-branch.use-case.js';
import { branchOf, NO_OBJECT } from '../pushes/ref-change.js';
import { RefsPushed } from '../pushes/refs-pushed.event.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import { HeadFollowingService } from './head-following.service.js';

const TOUCH = `with touched as (
    update projects set last_activity_at = greatest(last_activity_at, now()) where id = $1 returning empty_repo, default_branch)
  select empty_repo, default_branch from touched`;

const FIRST_BRANCH =
  'update projects set empty_repo = false, default_branch = $2, readme_path = $3 where id = $1';

interface PushedProject {
  readonly empty_repo: boolean;
  readonly default_branch: string | null;
}

/** Updates the project after a push to its code, in the transaction that records the push. */
@Injectable()
export class PushedCodeListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly repositories: RepositoriesService,
    private readonly protection: ProtectBranch,
    private readonly heads: HeadFollowingService,
  ) {}

  onModuleInit(): void {
    this.events.on(RefsPushed, (event, tx) => this.note(event, tx));
  }

  private async note(
    { repository: { ownerType, ownerId, kind }, changes }: RefsPushed,
    tx: Tx,
  ): Promise<void> {
    if (ownerType !== 'Project' || kind !== 'code') return;
    const [project] = await tx.query<PushedProject[]>(TOUCH, [ownerId]);
    if (!project?.empty_repo) return;
    const pushed = changes.filter(({ after }) => after !== NO_OBJECT).map(branchOf);
    await this.begin(
      tx,
      ownerId,
      project.default_branch,
      pushed.filter((branch) => branch !== null),
    );
  }

  /**
   * After the first branches, chooses the default branch. Idempotent, so that recording a push late gives the
   * same result.
   */
  private async begin(
    tx: Tx,
    id: number,
    configured: string | null,
    pushed: readonly string[],
  ): Promise<void> {
    const [first] = pushed;
    const repository = first === undefined ? null : await this.repositories.openOrNull(projectRepository(id));
    if (first === undefined || !repository) return;
    const isConfiguredThere = configured !== null && (await hasBranch(repository.path, configured));
    const branch = isConfiguredThere ? configured : first;
    // The measurement also finds it, but clients that create a project with a README read its URL at once.
    await tx.query(FIRST_BRANCH, [id, branch, await readmeOf(repository.path, branch)]);
    await this.protection.run(tx, id, branch);
    await this.heads.followAfter(tx, repository);
  }
}
