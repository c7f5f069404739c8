import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { resolveCommit } from '#core/repositories/git/resolve.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { PipelinesQueries } from './pipelines.queries.js';

/** Finds the pipelines of the current commits of refs. */
@Injectable()
export class LatestPipelinesService {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly queries: PipelinesQueries,
  ) {}

  /**
   * Returns the id of the pipeline of the newest commit of a branch, by default of the default branch; null
   * if there is none.
   */
  async find(project: ProjectSubject, ref?: string): Promise<number | null> {
    const name = ref || project.defaultBranch;
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const sha = repository && name !== null && (await resolveCommit(repository.path, name));
    return sha ? this.queries.latest(project.id, sha, name) : null;
  }
}
