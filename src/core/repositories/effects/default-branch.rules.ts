import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Problems } from '#core/projects/project.rules.js';
import type { DefaultBranchPort } from '#core/projects/writes/default-branch.port.js';
import { mayBeHead } from '../git/branches.js';
import { isValidRefName } from '../ref-name.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';

const IS_DEFAULT = 'select 1 from projects where id = $1 and default_branch = $2';

/** Problem of a default branch that is not there while others are. */
export const missingBranch = (): Problems => ({ default_branch: ['does not exist in the repository'] });

/** Checks that the default branch of a project is one of its branches, or the first one to come. */
@Injectable()
export class DefaultBranchRules implements DefaultBranchPort {
  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
  ) {}

  async problems(projectId: number, branch: string): Promise<Problems> {
    if (await this.database.one(IS_DEFAULT, [projectId, branch])) return {};
    if (!isValidRefName(branch)) return { default_branch: ['is invalid'] };
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    return !repository || (await mayBeHead(repository.path, branch)) ? {} : missingBranch();
  }
}
