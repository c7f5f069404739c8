import { Controller, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { HttpError, notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { BranchRecord, mayPush, presentBranch, type Branch } from '../branches/branch.record.js';
import { FindBranchParams } from '../branches/branches.params.js';
import { BranchesQueries } from '../branches/branches.queries.js';
import { ProtectedRefsService } from '../protection/protected-refs.service.js';
import { PROTECTIONS } from '../repository-access.js';
import { ProtectBranchParams } from './protected-branches.params.js';
import { ProtectedBranchesService } from './protected-branches.service.js';

/** Protection of branches by the deprecated routes, which v4 requires. */
@Controller('api/v4/projects/:id/repository/branches/:branch')
export class BranchProtectionController {
  constructor(
    private readonly branches: BranchesQueries,
    private readonly protectedBranches: ProtectedBranchesService,
    private readonly refs: ProtectedRefsService,
    private readonly links: Links,
  ) {}

  @Put('protect')
  @Access(PROTECTIONS)
  @Returns(BranchRecord)
  async protect(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ProtectBranchParams,
  ): Promise<BranchRecord> {
    await this.find(project, caller, params.branch);
    await this.protectedBranches.protect(project, caller, params);
    return this.present(project, caller, params.branch);
  }

  @Put('unprotect')
  @Access(PROTECTIONS)
  @Returns(BranchRecord)
  async unprotect(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { branch }: FindBranchParams,
  ): Promise<BranchRecord> {
    await this.find(project, caller, branch);
    await this.refs.remove(project, caller, 'branch', branch).catch((error: unknown) => {
      // A branch that is already unprotected is a success.
      if (!(error instanceof HttpError && error.status === 404)) throw error;
    });
    return this.present(project, caller, branch);
  }

  private async present(project: ProjectSubject, caller: Caller, name: string): Promise<BranchRecord> {
    const branch = await this.find(project, caller, name);
    return presentBranch(branch, mayPush(project, caller), this.links.project(project.fullPath));
  }

  private async find(project: ProjectSubject, caller: Caller, name: string): Promise<Branch> {
    const branch = await this.branches.find(project, caller, name);
    if (!branch) throw notFound('Branch');
    return branch;
  }
}
