import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';
import { DefaultBranchChanged } from '#core/projects/default-branch-changed.event.js';
import { repositoryReadOnly } from '../pushes/push-errors.js';
import { readRefFiles } from '../refs/ref-files.js';
import { BRANCHES } from '../refs/read-refs.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import { missingBranch } from './default-branch.rules.js';
import { HeadFollowingService } from './head-following.service.js';

/** Updates HEAD to the default branch of its project. */
@Injectable()
export class DefaultBranchListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly repositories: RepositoriesService,
    private readonly heads: HeadFollowingService,
  ) {}

  onModuleInit(): void {
    this.events.on(DefaultBranchChanged, (event, tx) => this.follow(event, tx));
  }

  /** The transaction holds the project's row, so no move of the repository can start in the meantime. */
  private async follow({ projectId, branch }: DefaultBranchChanged, tx: Tx): Promise<void> {
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository) return;
    if (repository.readOnly) throw repositoryReadOnly();
    // Branches were read before the project was locked: since then, there may have been a first push. Its few refs need no git.
    const refs = await readRefFiles(repository.path, isNoBranch);
    if (refs && refs.size > 0 && !refs.has(BRANCHES + branch)) throw invalid(missingBranch());
    await this.heads.followAfter(tx, repository);
  }
}

const isNoBranch = (name: string): boolean => !`${name}/`.startsWith(BRANCHES);
