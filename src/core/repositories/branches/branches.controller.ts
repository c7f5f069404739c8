import { Controller, Delete, Get, Head, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import { ACCEPTED, MessageRecord } from '#kernel/http/message.record.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { REPOSITORY_READ, REPOSITORY_WRITE } from '../repository-access.js';
import { BranchRecord, mayPush, presentBranch } from './branch.record.js';
import { CreateBranchParams, FindBranchParams, ListBranchesParams } from './branches.params.js';
import { BranchesQueries } from './branches.queries.js';
import { BranchesService } from './branches.service.js';

/** Branches of a project. */
@Controller('api/v4/projects/:id/repository')
export class BranchesController {
  constructor(
    private readonly branches: BranchesService,
    private readonly queries: BranchesQueries,
    private readonly links: Links,
  ) {}

  @Get('branches')
  @Access(REPOSITORY_READ)
  @ReturnsList(BranchRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListBranchesParams,
    @Paged({ ownKeyset: true }) page: Page,
  ): Promise<BranchRecord[]> {
    const branches = await this.queries.list(project, caller, params, page);
    const webBase = this.links.project(project.fullPath);
    return branches.map((branch) => presentBranch(branch, mayPush(project, caller), webBase));
  }

  @Head('branches/:branch')
  @Access(REPOSITORY_READ)
  @ReturnsNothing()
  async exists(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { branch }: FindBranchParams,
  ): Promise<void> {
    if (!(await this.queries.find(project, caller, branch))) throw notFound('Branch');
  }

  @Get('branches/:branch')
  @Access(REPOSITORY_READ)
  @Returns(BranchRecord)
  find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { branch }: FindBranchParams,
  ): Promise<BranchRecord> {
    return this.present(project, caller, branch);
  }

  @Post('branches')
  @Access(REPOSITORY_WRITE)
  @Returns(BranchRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateBranchParams,
  ): Promise<BranchRecord> {
    await this.branches.create(project, caller, params);
    return this.present(project, caller, params.branch);
  }

  @Delete('branches/:branch')
  @Access(REPOSITORY_WRITE)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { branch }: FindBranchParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.branches.remove(project, caller, branch, unmodified);
  }

  @Delete('merged_branches')
  @Access(REPOSITORY_WRITE)
  @Returns(MessageRecord, 202)
  async removeMerged(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageRecord> {
    await this.branches.removeMerged(project, caller);
    return ACCEPTED;
  }

  private async present(project: ProjectSubject, caller: Caller, name: string): Promise<BranchRecord> {
    const branch = await this.queries.find(project, caller, name);
    if (!branch) throw notFound('Branch');
    return presentBranch(branch, mayPush(project, caller), this.links.project(project.fullPath));
  }
}
