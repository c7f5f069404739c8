import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { forbidden, invalid, notFound } from '#kernel/http/errors.js';
import { findCommit, type Commit } from '#core/repositories/git/commit-log.js';
import { gitText } from '#core/repositories/git/git.js';
import { peel, resolveCommit } from '#core/repositories/git/resolve.js';
import { ProtectionsQueries } from '#core/repositories/protection/protections.queries.js';
import { isValidRefName } from '#core/repositories/ref-name.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { rightsOf } from '../jobs/job-access.js';
import { pipelineCommit, type PipelineCommit } from '../pipelines/pipeline-commit.js';
import { CommitStatusesQueries } from './commit-statuses.queries.js';
import type { SetCommitStatusParams } from './commit-statuses.params.js';

/** Commit, ref and pipeline of a status. */
export interface StatusTarget {
  readonly sha: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly protected: boolean;
  readonly commit: PipelineCommit;
}

type NamedRef = Pick<StatusTarget, 'ref' | 'tag'>;

/** Finds the target of a status, and checks that the caller may report on it. */
@Injectable()
export class StatusTargetFinder {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly protections: ProtectionsQueries,
    private readonly queries: CommitStatusesQueries,
  ) {}

  /** Returns the full id of a commit. @throws 404 */
  async commit(project: ProjectSubject, name: string): Promise<string> {
    const { path } = await this.open(project);
    const sha = await resolveCommit(path, name);
    if (sha === null) throw notFound('Commit');
    return sha;
  }

  /**
   * Finds the target. @throws 404 if the commit is unknown or on no branch; 403 if the ref is protected and
   * the caller can neither push nor merge to it
   */
  async find(project: ProjectSubject, caller: Caller, params: SetCommitStatusParams): Promise<StatusTarget> {
    const [repository, protections] = await Promise.all([
      this.open(project),
      this.protections.of(project.id, rightsOf(caller)),
    ]);
    const given = (params.ref ?? '').replace(/^refs\/(heads|tags)\//, '');
    const [found, known] = await Promise.all([
      commitOf(repository.path, params.sha),
      params.ref && isValidRefName(given) ? kindOf(repository, given, params.ref) : null,
    ]);
    if (!found) throw notFound('Commit');
    if (params.ref && !known) throw invalid({ ref: ['is invalid'] });
    const sha = found.id;
    const { ref, tag } = known ?? (await this.refOf(project, repository, sha, params.pipeline_id));
    const protection = protections.of(tag ? 'tag' : 'branch', ref);
    if (protection && !(protection.may_push || protection.may_merge || (tag && protection.may_create)))
      throw forbidden();
    return { sha, ref, tag, protected: protection !== null, commit: pipelineCommit(found) };
  }

  private async open(project: ProjectSubject): Promise<OpenRepository> {
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    if (!repository) throw notFound('Commit');
    return repository;
  }

  /** The ref of the newest pipeline, else the first branch that contains the commit. */
  private async refOf(
    project: ProjectSubject,
    repository: OpenRepository,
    sha: string,
    pipelineId: number | undefined,
  ): Promise<NamedRef> {
    const known = await this.queries.refOf(project.id, sha, pipelineId);
    if (known !== null) return known;
    const args = [
      'for-each-ref',
      `--contains=${sha}`,
      '--format=%(refname:lstrip=2)',
      '--count=1',
      '--',
      'refs/heads/',
    ];
    const [branch] = (await gitText(repository.path, args)).split('\n');
    if (!branch) throw notFound('References for commit');
    return kindOf(repository, branch);
  }
}

/** Finds the commit of a name; a full id is looked up directly. */
async function commitOf(path: string, name: string): Promise<Commit | null> {
  const byId = /^[0-9a-f]{40}$/i.test(name) ? await findCommit(path, name.toLowerCase()) : null;
  const sha = byId ? null : await resolveCommit(path, name);
  return sha === null ? byId : findCommit(path, sha);
}

/** Tells whether a name is a branch or a tag, which its full name says; otherwise a branch wins. */
async function kindOf({ path }: OpenRepository, ref: string, written = ref): Promise<NamedRef> {
  const isBranch = !written.startsWith('refs/tags/') && (await peel(path, `refs/heads/${ref}`)) !== null;
  return { ref, tag: !isBranch && (await peel(path, `refs/tags/${ref}`)) !== null };
}
