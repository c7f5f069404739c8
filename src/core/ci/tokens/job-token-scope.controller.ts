import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentProject, type Actor, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { presentSimpleProject } from '#core/projects/records/project-simple.presenter.js';
import { PROJECT_DEFAULTS } from '#core/projects/settings/project-settings.js';
import { ProjectSimpleRecord } from '#core/projects/records/project-simple.record.js';
import { ChangeJobTokenScopeParams, NameTargetProjectParams } from './job-token-scope.params.js';
import { JobTokenLinkRecord, JobTokenScopeRecord } from './job-token-scope.record.js';
import { JobTokenScopeService } from './job-token-scope.service.js';

const SCOPE = { project: Role.Maintainer } as const;

/** Access of jobs of other projects to a project. */
@Controller('api/v4/projects/:id/job_token_scope')
export class JobTokenScopeController {
  constructor(
    private readonly scope: JobTokenScopeService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(SCOPE)
  @Returns(JobTokenScopeRecord)
  find(@CurrentProject() { settings }: ProjectSubject): JobTokenScopeRecord {
    const values = { ...PROJECT_DEFAULTS, ...settings };
    return {
      inbound_enabled: values.ci_inbound_job_token_scope_enabled,
      outbound_enabled: values.ci_job_token_scope_enabled,
    };
  }

  @Patch()
  @Access(SCOPE)
  @ReturnsNothing()
  async change(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() { enabled }: ChangeJobTokenScopeParams,
  ): Promise<void> {
    await this.scope.change(project, actor, enabled);
  }

  @Get('allowlist')
  @Access(SCOPE)
  @ReturnsList(ProjectSimpleRecord)
  async list(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Paged() page: Page,
  ): Promise<ProjectSimpleRecord[]> {
    return (await page.load(this.scope.list(id, actor))).map((row) => presentSimpleProject(row, this.links));
  }

  @Post('allowlist')
  @Access(SCOPE)
  @Returns(JobTokenLinkRecord, 201)
  async add(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() { target_project_id: target }: NameTargetProjectParams,
  ): Promise<JobTokenLinkRecord> {
    await this.scope.add(project, actor, target);
    return { source_project_id: project.id, target_project_id: target };
  }

  @Delete('allowlist/:target_project_id')
  @Access({ ...SCOPE, archived: true })
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() { target_project_id: target }: NameTargetProjectParams,
  ): Promise<void> {
    await this.scope.remove(project, actor, target);
  }
}
