import { Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { Returns, ReturnsOr } from '#kernel/http/answers/returns.js';
import { findCommit } from '../../git/commit-log.js';
import { peel } from '../../git/resolve.js';
import { withScratchObjects } from '../../objects/scratch-objects.js';
import { BranchGuestsPort } from '../../protection/branch-guests.port.js';
import { isValidRefName } from '../../ref-name.js';
import { AuthorsQueries } from '../../pushes/authors.queries.js';
import { repositoryReadOnly } from '../../pushes/push-errors.js';
import { AppliedCommitRecord } from './applied-commit.record.js';
import { applyCommit, type Application } from './apply-commit.js';
import { BRANCH_WRITE } from '../../repository-access.js';
import { CommitDetailRecord } from '../commit-detail.record.js';
import { CommitPresenter } from '../commit.presenter.js';
import { CommitReadingService } from '../commit-reading.service.js';
import { ApplyCommitParams, CreateCommitParams } from './commit-writes.params.js';
import { CommitWritingService, type Writer } from './commit-writing.service.js';

const DRY_RUN = {
  record: AppliedCommitRecord,
  status: 200,
  description: 'With dry_run: the commit can be applied',
};

/** Commits created by requests. */
@Controller('api/v4/projects/:id/repository/commits')
export class CommitWritesController {
  constructor(
    private readonly reading: CommitReadingService,
    private readonly writing: CommitWritingService,
    private readonly presenting: CommitPresenter,
    private readonly authors: AuthorsQueries,
    private readonly guests: BranchGuestsPort,
  ) {}

  @Post()
  @Access(BRANCH_WRITE)
  @Returns(CommitDetailRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateCommitParams,
  ): Promise<CommitDetailRecord> {
    await this.guests.assertPusher(project, caller, params.branch);
    const { start_project: start = '', actions, stats } = params;
    if (start !== '' && start !== String(project.id) && start !== project.fullPath)
      throw invalid({ start_project: ['does not have a valid value'] });
    const made = await this.writing.commitFiles({ project, caller }, params, actions);
    return this.presenting.present(project, caller, made, stats);
  }

  @Post(':sha/cherry_pick')
  @Access(BRANCH_WRITE)
  @ReturnsOr(AppliedCommitRecord, 201, DRY_RUN)
  cherryPick(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ApplyCommitParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AppliedCommitRecord> {
    return this.apply({ project, caller }, params, 'cherry-pick', response);
  }

  @Post(':sha/revert')
  @Access(BRANCH_WRITE)
  @ReturnsOr(AppliedCommitRecord, 201, DRY_RUN)
  revert(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ApplyCommitParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AppliedCommitRecord> {
    return this.apply({ project, caller }, params, 'revert', response);
  }

  private async apply(
    writer: Writer,
    params: ApplyCommitParams,
    verb: Application,
    response: Response,
  ): Promise<AppliedCommitRecord> {
    const { project, caller } = writer;
    await this.guests.assertPusher(project, caller, params.branch);
    const { repository, id } = await this.reading.resolve(project, params.sha);
    const head = isValidRefName(params.branch)
      ? await peel(repository.path, `refs/heads/${params.branch}`)
      : null;
    if (head === null) throw notFound('Branch');
    const commit = await findCommit(repository.path, id);
    if (!commit) throw notFound('Commit');
    const toApply = { commit, verb, message: params.message, isDry: params.dry_run === true };
    if (params.dry_run) {
      // A read-only repository also refuses dry runs.
      if (repository.readOnly) throw repositoryReadOnly();
      const committer = await this.authors.of(caller.actor?.id ?? 0);
      await withScratchObjects(repository.path, {}, (env) =>
        applyCommit({ path: repository.path, env }, head, toApply, committer),
      );
      response.status(200);
      return { dry_run: 'success' };
    }
    const made = await this.writing.commit(
      writer,
      { branch: params.branch },
      (directory, parent, committer) => applyCommit(directory, parent ?? head, toApply, committer),
    );
    return this.presenting.present(project, caller, made);
  }
}
