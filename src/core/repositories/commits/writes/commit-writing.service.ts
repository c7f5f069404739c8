import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { badRequest, forbidden, invalid } from '#kernel/http/errors.js';
import { hasBranches } from '../../git/branches.js';
import { buildCommit, type Signature } from '../../git/build-commit.js';
import { peel } from '../../git/resolve.js';
import type { ObjectDirectory } from '../../objects/quarantine.js';
import { AuthorsQueries } from '../../pushes/authors.queries.js';
import { pusherOf } from '../../pushes/pusher.js';
import { NO_OBJECT } from '../../pushes/ref-change.js';
import { RepositoryWritesService, type BuildChanges } from '../../pushes/repository-writes.service.js';
import { isValidRefName } from '../../ref-name.js';
import { isValidNewRefName } from '../../refs/new-ref-name.js';
import { BRANCHES, obstacleOf } from '../../refs/read-refs.js';
import { projectRepository } from '../../repository-ref.js';
import { RepositoriesService, type OpenRepository } from '../../repositories.service.js';
import type { CommitAction, CommitTargetParams } from './commit-writes.params.js';
import type { FoundCommit } from '../commit-reading.service.js';
import { planChanges } from './plan-changes.js';

/** The project and caller of a new commit. */
export interface Writer {
  readonly project: ProjectSubject;
  readonly caller: Caller;
}

/** The branch of a new commit, and its start. */
export interface BranchTarget {
  readonly branch: string;
  readonly start_branch?: string | undefined;
  readonly start_sha?: string | undefined;
  readonly force?: boolean | undefined;
}

/** Creates the commit on a parent (null: no parent) and returns its id. */
export type MakeCommit = (
  directory: ObjectDirectory,
  parent: string | null,
  committer: Signature,
) => Promise<string>;

const NOT_ON_A_BRANCH = 'You can only create or edit files when you are on a branch';

/** Creates commits by request, and updates their branches. */
@Injectable()
export class CommitWritingService {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
    private readonly authors: AuthorsQueries,
  ) {}

  /**
   * Creates a commit of file changes. @throws 400 if they are not possible, 403 if the project is archived,
   * 503 if concurrent pushes are always faster
   */
  commitFiles(
    writer: Writer,
    target: CommitTargetParams & BranchTarget,
    actions: readonly CommitAction[],
  ): Promise<FoundCommit> {
    return this.commit(writer, target, async (directory, parent, committer) => {
      const changes = await planChanges(directory.path, parent, actions);
      const { author_name: name, author_email: email } = target;
      const author = { name: name || committer.name, email: email || committer.email };
      const parents = parent === null ? [] : [parent];
      return buildCommit(directory, { parents, changes, message: target.commit_message, author, committer });
    });
  }

  /** Creates a commit with `make`, and updates the branch. @throws as commitFiles */
  async commit({ project, caller }: Writer, target: BranchTarget, make: MakeCommit): Promise<FoundCommit> {
    if (project.archived) throw forbidden();
    if (!isValidRefName(target.branch)) throw invalid({ branch: ['is invalid'] });
    const ref = BRANCHES + target.branch;
    const pusher = pusherOf(caller);
    const committer = await this.authors.of(pusher.userId);
    const repository = await this.repositories.ensure(projectRepository(project.id));
    const build: BuildChanges = async (quarantine) => {
      const { before, parent } = await baseOf(repository, target);
      const after = await make(await quarantine.directory(), parent, committer);
      return [{ ref, before, after }];
    };
    const [change] = await this.writes.change(repository, pusher, build, { builtOn: ref });
    return { repository, id: change?.after ?? NO_OBJECT };
  }
}

/**
 * Returns the branch's current commit and the parent of the new one. @throws 400 if the start is ambiguous
 */
async function baseOf(
  { path }: OpenRepository,
  { branch, start_branch: startBranch, start_sha: startSha, force = false }: BranchTarget,
): Promise<{ before: string; parent: string | null }> {
  const head = await peel(path, BRANCHES + branch);
  const before = head ?? NO_OBJECT;
  const hasStart = Boolean(startSha) || (Boolean(startBranch) && startBranch !== branch);
  if (head !== null && !hasStart) return { before, parent: head };
  if (head !== null && !force)
    throw badRequest(
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    );
  if (head === null && !isValidNewRefName(branch)) throw invalid({ branch: ['is invalid'] });
  const obstacle = head === null ? await obstacleOf(path, BRANCHES, branch) : null;
  if (obstacle !== null) throw badRequest(`Branch name conflicts with the branch ${obstacle}`);
  if (!hasStart) {
    if (await hasBranches(path)) throw badRequest(NOT_ON_A_BRANCH);
    return { before, parent: null };
  }
  const parent = startSha ? await findSha(path, startSha) : await findBranch(path, startBranch ?? '');
  // The first commit of a project may name any start branch, since none exists yet.
  if (parent === null && (startSha || (await hasBranches(path))))
    throw invalid({ [startSha ? 'start_sha' : 'start_branch']: ['does not exist'] });
  return { before, parent };
}

const findSha = (path: string, sha: string): Promise<string | null> =>
  /^[0-9a-f]{7,40}$/i.test(sha) ? peel(path, sha.toLowerCase()) : Promise.resolve(null);

const findBranch = (path: string, branch: string): Promise<string | null> =>
  isValidRefName(branch) ? peel(path, BRANCHES + branch) : Promise.resolve(null);
