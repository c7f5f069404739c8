import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import type { Tx } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';
import { DefaultBranchChanged } from '#core/projects/default-branch-changed.event.js';
import { hasBranch, hasBranches } from '../git/branches.js';
import { repositoryReadOnly } from '../pushes/push-errors.js';
import { isValidRefName } from '../ref-name.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
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
    if (!isValidRefName(branch)) throw invalid({ default_branch: ['is invalid'] });
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository) return;
    if (repository.readOnly) throw repositoryReadOnly();
    if (!(await hasBranch(repository.path, branch)) && (await hasBranches(repository.path)))
      throw invalid({ default_branch: ['does not exist in the repository'] });
    await this.heads.followAfter(tx, repository);
  }
}
