import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { MergeRequestFinder } from '../../merge-request.finder.js';
import { MERGE_REQUEST_TALK } from '../../merge-request.access.js';
import { FindMergeRequestParams } from '../../merge-requests.params.js';
import {
  CreateOwnApprovalRuleParams,
  FindOwnApprovalRuleParams,
  MergeApprovalRuleRecord,
  presentApprovalRule,
  UpdateOwnApprovalRuleParams,
} from './approval-rule.record.js';
import { ApprovalRulesService } from './approval-rules.service.js';
import { OwnApprovalRulesService } from './own-approval-rules.service.js';

const READ = { ...MERGE_REQUEST_TALK, tier: Tier.Premium } as const;
/** Authors without this role must not decide who approves their work. */
const WRITE = { project: Role.Developer, feature: 'merge_requests', tier: Tier.Premium } as const;

/** Approval rules of a merge request, which replace those of its project (premium). */
@Controller('api/v4/projects/:id/merge_requests/:merge_request_iid/approval_rules')
export class OwnApprovalRulesController {
  constructor(
    private readonly access: MergeRequestFinder,
    private readonly own: OwnApprovalRulesService,
    private readonly rules: ApprovalRulesService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(READ)
  @ReturnsList(MergeApprovalRuleRecord)
  async list(
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestParams,
    @Paged() page: Page,
  ): Promise<MergeApprovalRuleRecord[]> {
    const { id } = await this.access.find(caller, iid);
    const rows = await page.load(this.rules.list(caller, id));
    return rows.map((row) => presentApprovalRule(row, this.links));
  }

  @Get(':approval_rule_id')
  @Access(READ)
  @Returns(MergeApprovalRuleRecord)
  async find(
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid, approval_rule_id: ruleId }: FindOwnApprovalRuleParams,
  ): Promise<MergeApprovalRuleRecord> {
    const { id } = await this.access.find(caller, iid);
    return this.present(caller, ruleId, id);
  }

  @Post()
  @Access(WRITE)
  @Returns(MergeApprovalRuleRecord, 201)
  async create(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: CreateOwnApprovalRuleParams,
  ): Promise<MergeApprovalRuleRecord> {
    const id = await this.own.toChange(caller, params.merge_request_iid);
    return this.present(caller, await this.own.create(caller, params, id), id);
  }

  @Put(':approval_rule_id')
  @Access(WRITE)
  @Returns(MergeApprovalRuleRecord)
  async update(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: UpdateOwnApprovalRuleParams,
  ): Promise<MergeApprovalRuleRecord> {
    const id = await this.own.toChange(caller, params.merge_request_iid);
    await this.rules.update(caller, params, id);
    return this.present(caller, params.approval_rule_id, id);
  }

  @Delete(':approval_rule_id')
  @Access(WRITE)
  @ReturnsNothing()
  async remove(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { merge_request_iid: iid, approval_rule_id: ruleId }: FindOwnApprovalRuleParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    const owner = await this.own.toChange(caller, iid);
    await this.rules.remove(caller, ruleId, unmodified, owner);
  }

  private async present(caller: Caller, ruleId: number, owner: number): Promise<MergeApprovalRuleRecord> {
    return presentApprovalRule(await this.rules.find(caller, ruleId, owner), this.links);
  }
}
