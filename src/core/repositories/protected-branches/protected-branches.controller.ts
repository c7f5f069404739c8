import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ProtectedRefsQueries } from '../protection/protected-refs.queries.js';
import { ProtectedRefsService } from '../protection/protected-refs.service.js';
import { PROTECTIONS } from '../repository-access.js';
import { presentProtectedBranch, ProtectedBranchRecord } from './protected-branch.record.js';
import {
  CreateProtectedBranchParams,
  FindProtectedBranchParams,
  ListProtectedBranchesParams,
  UpdateProtectedBranchParams,
} from './protected-branches.params.js';
import { ProtectedBranchesService } from './protected-branches.service.js';

/** Protected branches of a project. */
@Controller('api/v4/projects/:id/protected_branches')
export class ProtectedBranchesController {
  constructor(
    private readonly branches: ProtectedBranchesService,
    private readonly refs: ProtectedRefsService,
    private readonly queries: ProtectedRefsQueries,
  ) {}

  @Get()
  @Access(PROTECTIONS)
  @ReturnsList(ProtectedBranchRecord)
  async list(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { search }: ListProtectedBranchesParams,
    @Paged() page: Page,
  ): Promise<ProtectedBranchRecord[]> {
    return (await page.load(this.queries.list(id, 'branch', search))).map(presentProtectedBranch);
  }

  @Get(':name')
  @Access(PROTECTIONS)
  @Returns(ProtectedBranchRecord)
  find(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { name }: FindProtectedBranchParams,
  ): Promise<ProtectedBranchRecord> {
    return this.present(id, name);
  }

  @Post()
  @Access(PROTECTIONS)
  @Returns(ProtectedBranchRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateProtectedBranchParams,
  ): Promise<ProtectedBranchRecord> {
    await this.branches.create(project, caller, params);
    return this.present(project.id, params.name);
  }

  @Patch(':name')
  @Access(PROTECTIONS)
  @Returns(ProtectedBranchRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: UpdateProtectedBranchParams,
  ): Promise<ProtectedBranchRecord> {
    await this.branches.update(project, caller, params);
    return this.present(project.id, params.name);
  }

  @Delete(':name')
  @Access(PROTECTIONS)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { name }: FindProtectedBranchParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.refs.remove(project, caller, 'branch', name, unmodified);
  }

  private async present(projectId: number, name: string): Promise<ProtectedBranchRecord> {
    return presentProtectedBranch(await this.queries.find(projectId, 'branch', name));
  }
}
