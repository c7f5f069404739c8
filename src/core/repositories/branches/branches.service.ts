import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { badRequest, forbidden, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { resolveCommit } from '../git/resolve.js';
import { PROTECTION_TEXTS } from '../protection/protection-texts.js';
import { ProtectionsQueries } from '../protection/protections.queries.js';
import { pusherOf } from '../pushes/pusher.js';
import { NO_OBJECT } from '../pushes/ref-change.js';
import { RepositoryWritesService } from '../pushes/repository-writes.service.js';
import { isValidNewRefName } from '../refs/new-ref-name.js';
import { BRANCHES, findRefs, mergedBranches, obstacleOf } from '../refs/read-refs.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import { BranchesQueries } from './branches.queries.js';
import type { CreateBranchParams } from './branches.params.js';

/** Creates and removes branches by request. */
@Injectable()
export class BranchesService {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
    private readonly protections: ProtectionsQueries,
    private readonly queries: BranchesQueries,
  ) {}

  /**
   * Creates a branch. @throws 400 if its name or start is invalid, or with the text of the push rule that
   * rejects it
   */
  async create(project: ProjectSubject, caller: Caller, { branch, ref }: CreateBranchParams): Promise<void> {
    if (!isValidNewRefName(branch)) throw badRequest('Branch name is invalid');
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    if (!repository) throw badRequest(`Invalid reference name: ${ref}`);
    const obstacle = await obstacleOf(repository.path, BRANCHES, branch);
    if (obstacle === branch) throw badRequest('Branch already exists');
    if (obstacle !== null) throw badRequest(`Branch name conflicts with the branch ${obstacle}`);
    const after = await resolveCommit(repository.path, ref);
    if (after === null) throw badRequest(`Invalid reference name: ${ref}`);
    const change = { ref: BRANCHES + branch, before: NO_OBJECT, after };
    await this.writes.change(repository, pusherOf(caller), () => Promise.resolve([change]));
  }

  /**
   * Removes a branch. @throws 403 if it is the default branch, or protected and the caller is below
   * Maintainer; 404; 412
   */
  async remove(
    project: ProjectSubject,
    caller: Caller,
    name: string,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    const branch = await this.queries.find(project, caller, name);
    if (!branch) throw notFound('Branch');
    unmodified(new Date(branch.commit.committedDate));
    if (branch.default) throw forbidden(PROTECTION_TEXTS.deleteDefault);
    if (branch.protection && caller.role < Role.Maintainer) throw forbidden(PROTECTION_TEXTS.deleteProtected);
    const repository = await this.repositories.open(projectRepository(project.id), 'Branch');
    const change = { ref: BRANCHES + name, before: branch.commit.id, after: NO_OBJECT };
    await this.writes.change(repository, pusherOf(caller), () => Promise.resolve([change]));
  }

  /** Removes all branches that are merged into the default branch and not protected. */
  async removeMerged(project: ProjectSubject, caller: Caller): Promise<void> {
    const pusher = pusherOf(caller);
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const protections = await this.protections.of(project.id, pusher);
    const into = protections.defaultBranch;
    if (!repository || into === null) return;
    const [base] = await findRefs(repository.path, BRANCHES, [into]);
    if (!base) return;
    await this.writes.change(repository, pusher, async () =>
      (await mergedBranches(repository.path, into, 'all'))
        .filter(({ name, id }) => id !== base.id && !protections.of('branch', name))
        .map(({ name, id }) => ({ ref: BRANCHES + name, before: id, after: NO_OBJECT })),
    );
  }
}
