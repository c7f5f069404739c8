import { Controller, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type Caller,
  type ProjectCaller,
  type ProjectSubject,
  CurrentCaller,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { MergeRequestDetailRecord } from '../../records/merge-request-detail.record.js';
import { MergeRequestDetailPresenter } from '../../records/merge-request-detail.presenter.js';
import { MERGE_REQUEST_TALK } from '../../merge-request.access.js';
import { MergeRequestRebasingService } from '../rebasing/merge-request-rebasing.service.js';
import { MergeRefRecord, RebaseRecord } from './merge-answers.record.js';
import {
  FindMergeRequestCodeParams,
  MergeMergeRequestParams,
  RebaseMergeRequestParams,
} from './merging.params.js';
import { MergeRefsService } from './merge-refs.service.js';
import { MergeMergeRequest } from './merge-merge-request.use-case.js';

/** Merging (`planning.md` 5.3). The rights depend on branches, so the services check them. */
@Controller('api/v4/projects/:id/merge_requests/:merge_request_iid')
export class MergeRequestMergingController {
  constructor(
    private readonly merging: MergeMergeRequest,
    private readonly rebasing: MergeRequestRebasingService,
    private readonly refs: MergeRefsService,
    private readonly details: MergeRequestDetailPresenter,
  ) {}

  @Put('merge')
  @Refuses({
    405: 'It is not in a state in which it can be merged',
    409: 'The head of the source branch differs, or the merge request was changed in the meantime',
    422: 'The branches cannot be merged',
  })
  @Access(MERGE_REQUEST_TALK)
  @Returns(MergeRequestDetailRecord)
  async merge(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: MergeMergeRequestParams,
  ): Promise<MergeRequestDetailRecord> {
    await this.merging.merge(project, caller, params);
    return this.details.record(caller, params);
  }

  @Post('cancel_merge_when_pipeline_succeeds')
  @Refuses({ 405: 'It is not open', 406: 'It is not waiting for a pipeline' })
  @Access(MERGE_REQUEST_TALK)
  @Returns(MergeRequestDetailRecord, 201)
  async cancel(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: FindMergeRequestCodeParams,
  ): Promise<MergeRequestDetailRecord> {
    await this.merging.cancel(project, caller, params.merge_request_iid);
    return this.details.record(caller, params);
  }

  @Put('rebase')
  @Refuses({ 405: 'It is not open' })
  @Access(MERGE_REQUEST_TALK)
  @Returns(RebaseRecord, 202)
  async rebase(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid, skip_ci: skipCi = false }: RebaseMergeRequestParams,
  ): Promise<RebaseRecord> {
    await this.rebasing.begin(project, caller, iid, skipCi);
    return { rebase_in_progress: true };
  }

  @Get('merge_ref')
  @Access({ project: Role.Reporter, feature: 'merge_requests' })
  @Returns(MergeRefRecord)
  async mergeRef(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestCodeParams,
  ): Promise<MergeRefRecord> {
    return { commit_id: await this.refs.find(project, caller, iid) };
  }
}
