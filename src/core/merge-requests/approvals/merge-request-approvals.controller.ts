import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Links } from '#kernel/http/links.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { MergeRequestFinder } from '../merge-request.finder.js';
import { MERGE_REQUEST_READ } from '../merge-request.access.js';
import { FindMergeRequestParams } from '../merge-requests.params.js';
import { ApprovalStateRecord, presentApprovalState } from './approval-state.record.js';
import { ApprovalsQueries } from './approvals.queries.js';
import { ApprovalsRecord } from './approvals.record.js';
import { MergeRequestApprovalsService } from './merge-request-approvals.service.js';
import { ApproveMergeRequestParams } from './merge-request-approvals.params.js';

const APPROVE = { project: Role.Developer, feature: 'merge_requests' } as const;

/** Approvals of a merge request. */
@Controller('api/v4/projects/:id/merge_requests/:merge_request_iid')
export class MergeRequestApprovalsController {
  constructor(
    private readonly approvals: MergeRequestApprovalsService,
    private readonly queries: ApprovalsQueries,
    private readonly access: MergeRequestFinder,
    private readonly links: Links,
  ) {}

  @Get('approvals')
  @Access(MERGE_REQUEST_READ)
  @Returns(ApprovalsRecord)
  find(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { merge_request_iid: iid }: FindMergeRequestParams,
  ): Promise<ApprovalsRecord> {
    return this.approvals.record(caller, iid);
  }

  @Get('approval_state')
  @Access(MERGE_REQUEST_READ)
  @Returns(ApprovalStateRecord)
  async state(
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestParams,
  ): Promise<ApprovalStateRecord> {
    const { id } = await this.access.find(caller, iid);
    const rules = caller.tier >= Tier.Premium ? await this.queries.rules(id, caller.actor) : [];
    return presentApprovalState(rules, this.links);
  }

  @Post('approve')
  @Refuses({ 409: 'The head of the source branch differs' })
  @Access(APPROVE)
  @Returns(ApprovalsRecord, 201)
  async approve(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: ApproveMergeRequestParams,
  ): Promise<ApprovalsRecord> {
    await this.approvals.approve(caller, params);
    return this.approvals.record(caller, params.merge_request_iid);
  }

  @Post('unapprove')
  @Access(APPROVE)
  @Returns(ApprovalsRecord, 201)
  async unapprove(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() { merge_request_iid: iid }: FindMergeRequestParams,
  ): Promise<ApprovalsRecord> {
    await this.approvals.unapprove(caller, iid);
    return this.approvals.record(caller, iid);
  }
}
