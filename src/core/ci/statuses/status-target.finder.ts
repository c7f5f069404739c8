import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { forbidden, invalid, notFound } from '#kernel/http/errors.js';
import { findCommit } from '#core/repositories/git/commit-log.js';
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

/** What a status is about. */
export interface StatusTarget {
  readonly sha: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly protected: boolean;
  readonly commit: PipelineCommit;
}

/** Finds out what a status is about, and whether the caller may say it. */
@Injectable()
export class StatusTargetFinder {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly protections: ProtectionsQueries,
    private readonly queries: CommitStatusesQueries,
  ) {}

  /** The full id of a commit. @throws 404 */
  async commit(project: ProjectSubject, name: string): Promise<string> {
    return (await this.open(project, name)).sha;
  }

  /** @throws 404 for an unknown commit, or one that no branch has; 403 for a protected ref that the caller may neither push nor merge to */
  async find(project: ProjectSubject, caller: Caller, params: SetCommitStatusParams): Promise<StatusTarget> {
    const [{ repository, sha }, protections] = await Promise.all([
      this.open(project, params.sha),
      this.protections.of(project.id, rightsOf(caller)),
    ]);
    const [found, { ref, tag }] = await Promise.all([
      findCommit(repository.path, sha),
      this.refOf(project, repository, sha, params),
    ]);
    if (!found) throw notFound('Commit');
    const protection = protections.of(tag ? 'tag' : 'branch', ref);
    if (protection && !(protection.may_push || protection.may_merge || (tag && protection.may_create)))
      throw forbidden();
    return { sha, ref, tag, protected: protection !== null, commit: pipelineCommit(found) };
  }

  private async open(
    project: ProjectSubject,
    name: string,
  ): Promise<{ repository: OpenRepository; sha: string }> {
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const sha = repository && (await resolveCommit(repository.path, name));
    if (!repository || sha === null) throw notFound('Commit');
    return { repository, sha };
  }

  private async refOf(
    project: ProjectSubject,
    repository: OpenRepository,
    sha: string,
    params: SetCommitStatusParams,
  ): Promise<Pick<StatusTarget, 'ref' | 'tag'>> {
    const ref = await this.nameOf(project, repository, sha, params);
    const isBranch = (await peel(repository.path, `refs/heads/${ref}`)) !== null;
    return { ref, tag: !isBranch && (await peel(repository.path, `refs/tags/${ref}`)) !== null };
  }

  /** As given, else that of the newest pipeline, else the first branch that has the commit. */
  private async nameOf(
    project: ProjectSubject,
    repository: OpenRepository,
    sha: string,
    { ref: given, pipeline_id: pipelineId }: SetCommitStatusParams,
  ): Promise<string> {
    if (given) {
      const ref = given.replace(/^refs\/(heads|tags)\//, '');
      if (!isValidRefName(ref)) throw invalid({ ref: ['is invalid'] });
      return ref;
    }
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
    return branch;
  }
}
