import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentProject, type Actor, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { RunnerBasicRecord } from '#core/ci/runners/runner-basic.record.js';
import { RunnerPolicy } from './runner.policy.js';
import { RunnerChangesService } from './runner-changes.service.js';
import { presentRunner, presentRunnerDetail, RunnerDetailRecord } from './runner.record.js';
import { ListRunnersParams, NameRunnerParams } from './runners.params.js';
import { RunnersQueries } from './runners.queries.js';

/** Runners of a project. */
@Controller('api/v4/projects/:id/runners')
export class ProjectRunnersController {
  constructor(
    private readonly queries: RunnersQueries,
    private readonly access: RunnerPolicy,
    private readonly changes: RunnerChangesService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access({ project: Role.Maintainer })
  @ReturnsList(RunnerBasicRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() params: ListRunnersParams,
    @Paged() page: Page,
  ): Promise<RunnerBasicRecord[]> {
    return (await page.load(this.queries.ofProject(project, params))).map(presentRunner);
  }

  @Post()
  @Access({ project: Role.Maintainer })
  @Returns(RunnerDetailRecord, 201)
  async assign(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() { runner_id: id }: NameRunnerParams,
  ): Promise<RunnerDetailRecord> {
    await this.changes.assign(actor, project, id);
    return presentRunnerDetail(await this.access.detail(actor, id), this.links);
  }

  @Delete(':runner_id')
  @Access({ project: Role.Maintainer })
  @ReturnsNothing()
  async unassign(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() { runner_id: id }: NameRunnerParams,
  ): Promise<void> {
    await this.changes.unassign(actor, project, id);
  }
}
