import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type UserCaller,
  type ProjectSubject,
  CurrentCaller,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { UpdateProject } from '#core/projects/writes/update-project.use-case.js';
import { ApprovalSettingsRecord, ChangeApprovalSettingsParams } from './approval-settings.record.js';
import { ApprovalSettingsService } from './approval-settings.service.js';

/** Approval settings of a project (premium). */
@Controller('api/v4/projects/:id/approvals')
export class ProjectApprovalsController {
  constructor(
    private readonly settings: ApprovalSettingsService,
    private readonly projects: UpdateProject,
  ) {}

  @Get()
  @Access({ project: Role.Reporter, feature: 'merge_requests', tier: Tier.Premium })
  @Returns(ApprovalSettingsRecord)
  find(@CurrentProject() project: ProjectSubject): Promise<ApprovalSettingsRecord> {
    return this.settings.record(project);
  }

  @Post()
  @Access({ project: Role.Maintainer, feature: 'merge_requests', tier: Tier.Premium })
  @Returns(ApprovalSettingsRecord, 201)
  async change(
    @CurrentCaller() caller: UserCaller,
    @CurrentProject() project: ProjectSubject,
    @Params() params: ChangeApprovalSettingsParams,
  ): Promise<ApprovalSettingsRecord> {
    const { approvals_before_merge: needed } = params;
    if (needed !== undefined)
      await this.projects.update(project.id, caller, { approvals_before_merge: needed });
    await this.settings.change(project, caller.actor, params);
    const settings =
      needed === undefined ? project.settings : { ...project.settings, approvals_before_merge: needed };
    return this.settings.record({ ...project, settings });
  }
}
