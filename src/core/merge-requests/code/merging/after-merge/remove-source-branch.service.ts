import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { HttpError } from '#kernel/http/errors.js';
import { ProtectionsQueries } from '#core/repositories/protection/protections.queries.js';
import { isReadOnly } from '#core/repositories/pushes/push-errors.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { readRefIds } from '#core/repositories/pushes/ref-ids.js';
import { RepositoryWritesService } from '#core/repositories/pushes/repository-writes.service.js';
import { BRANCHES } from '#core/repositories/refs/read-refs.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { MergePolicy } from '../merge.policy.js';

/** A branch with other open merge requests is kept. */
const FIND = `select m.source_project_id as "projectId", m.source_branch as branch, m.head_sha as head
  from merge_requests m where m.id = $1 and m.state = 'merged' and m.source_project_id is not null and m.head_sha is not null
    and not exists (select 1 from merge_requests o where o.source_project_id = m.source_project_id
      and o.source_branch = m.source_branch and o.state in ('opened', 'locked'))`;

/** Removes the source branches of merged merge requests. */
@Injectable()
export class RemoveSourceBranchService {
  private readonly logger = new Logger(RemoveSourceBranchService.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly rights: MergePolicy,
    private readonly protections: ProtectionsQueries,
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
  ) {}

  /**
   * Removes a source branch as a user, if it is unchanged since the merge and not protected. @throws 400
   * while its repository moves
   */
  async remove(id: number, userId: number): Promise<void> {
    const found = await this.database.one<{ projectId: number; branch: string; head: string }>(FIND, [id]);
    const role = found && (await this.rights.roleOf(found.projectId, userId));
    const repository = found && (await this.repositories.openOrNull(projectRepository(found.projectId)));
    if (!found || !role || !repository) return;
    const ref = BRANCHES + found.branch;
    const isThere = (await readRefIds(repository.path, [ref])).get(ref) === found.head;
    const protections = await this.protections.of(found.projectId, { userId, role });
    if (!isThere || protections.of('branch', found.branch)) return;
    try {
      const change = { ref, before: found.head, after: NO_OBJECT };
      await this.writes.change(repository, { userId, role, via: 'api' }, () => Promise.resolve([change]));
    } catch (error) {
      if (isReadOnly(error) || !(error instanceof HttpError) || error.status >= 500) throw error;
      this.logger.warn(`The source branch of merge request ${id} was not removed: ${error.message}`);
    }
  }
}
