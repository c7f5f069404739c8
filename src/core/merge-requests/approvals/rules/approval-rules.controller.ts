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
import {
  MergeApprovalRuleRecord,
  CreateApprovalRuleParams,
  FindApprovalRuleParams,
  presentApprovalRule,
  UpdateApprovalRuleParams,
} from './approval-rule.record.js';
import { ApprovalRulesService } from './approval-rules.service.js';

const READ = { project: Role.Reporter, feature: 'merge_requests', tier: Tier.Premium } as const;
const WRITE = { project: Role.Maintainer, feature: 'merge_requests', tier: Tier.Premium } as const;

/** Approval rules of a project (premium). */
@Controller('api/v4/projects/:id/approval_rules')
export class ApprovalRulesController {
  constructor(
    private readonly rules: ApprovalRulesService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(READ)
  @ReturnsList(MergeApprovalRuleRecord)
  async list(@CurrentCaller() caller: Caller, @Paged() page: Page): Promise<MergeApprovalRuleRecord[]> {
    const rows = await page.load(this.rules.list(caller));
    return rows.map((row) => presentApprovalRule(row, this.links));
  }

  @Get(':approval_rule_id')
  @Access(READ)
  @Returns(MergeApprovalRuleRecord)
  find(
    @CurrentCaller() caller: Caller,
    @Params() { approval_rule_id: id }: FindApprovalRuleParams,
  ): Promise<MergeApprovalRuleRecord> {
    return this.present(caller, id);
  }

  @Post()
  @Access(WRITE)
  @Returns(MergeApprovalRuleRecord, 201)
  async create(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: CreateApprovalRuleParams,
  ): Promise<MergeApprovalRuleRecord> {
    return this.present(caller, await this.rules.create(caller, params));
  }

  @Put(':approval_rule_id')
  @Access(WRITE)
  @Returns(MergeApprovalRuleRecord)
  async update(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: UpdateApprovalRuleParams,
  ): Promise<MergeApprovalRuleRecord> {
    await this.rules.update(caller, params);
    return this.present(caller, params.approval_rule_id);
  }

  @Delete(':approval_rule_id')
  @Access(WRITE)
  @ReturnsNothing()
  remove(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { approval_rule_id: id }: FindApprovalRuleParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.rules.remove(caller, id, unmodified);
  }

  private async present(caller: Caller, id: number): Promise<MergeApprovalRuleRecord> {
    return presentApprovalRule(await this.rules.find(caller, id), this.links);
  }
}
