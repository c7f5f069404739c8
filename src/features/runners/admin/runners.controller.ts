import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { isoTimeOrNull } from '#kernel/http/times.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { RunnerBasicRecord } from '#core/ci/runners/runner-basic.record.js';
import { JobRecord, presentJob } from '#core/ci/jobs/job.record.js';
import { NewRunnerTokenRecord } from '../protocol/registration/registration.record.js';
import { RunnerPolicy } from './runner.policy.js';
import { RunnerChangesService } from './runner-changes.service.js';
import { presentRunnerManager, RunnerManagerRecord } from './runner-manager.record.js';
import { presentRunner, presentRunnerDetail, RunnerDetailRecord } from './runner.record.js';
import {
  FindRunnerParams,
  ListRunnerJobsParams,
  ListRunnersParams,
  UpdateRunnerParams,
} from './runners.params.js';
import { RunnersQueries } from './runners.queries.js';

/** Runners, for users and tools. */
@Controller('api/v4/runners')
export class RunnersController {
  constructor(
    private readonly queries: RunnersQueries,
    private readonly access: RunnerPolicy,
    private readonly changes: RunnerChangesService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access({ user: true })
  @ReturnsList(RunnerBasicRecord)
  async own(
    @CurrentActor() actor: Actor,
    @Params() params: ListRunnersParams,
    @Paged() page: Page,
  ): Promise<RunnerBasicRecord[]> {
    return (await page.load(this.queries.own(actor, params))).map(presentRunner);
  }

  @Get('all')
  @Access({ admin: true })
  @ReturnsList(RunnerBasicRecord)
  async all(@Params() params: ListRunnersParams, @Paged() page: Page): Promise<RunnerBasicRecord[]> {
    return (await page.load(this.queries.all(params))).map(presentRunner);
  }

  @Get(':id')
  @Access({ user: true })
  @Returns(RunnerDetailRecord)
  async find(@CurrentActor() actor: Actor, @Params() { id }: FindRunnerParams): Promise<RunnerDetailRecord> {
    return presentRunnerDetail(await this.access.detail(actor, id), this.links);
  }

  @Put(':id')
  @Access({ user: true })
  @Returns(RunnerDetailRecord)
  async update(
    @CurrentActor() actor: Actor,
    @Params() params: UpdateRunnerParams,
  ): Promise<RunnerDetailRecord> {
    await this.changes.update(actor, params);
    return this.find(actor, params);
  }

  @Delete(':id')
  @Access({ user: true })
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { id }: FindRunnerParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.changes.remove(actor, id, unmodified);
  }

  @Get(':id/jobs')
  @Access({ user: true })
  @ReturnsList(JobRecord)
  async jobs(
    @CurrentActor() actor: Actor,
    @Params() params: ListRunnerJobsParams,
    @Paged() page: Page,
  ): Promise<JobRecord[]> {
    await this.access.assertManages(actor, params.id);
    const rows = await page.load(this.queries.jobs(actor, params));
    // The caller is at least Reporter of the projects of these jobs.
    return rows.map((row) => presentJob(row, this.links, true));
  }

  @Get(':id/managers')
  @Access({ user: true })
  @ReturnsList(RunnerManagerRecord)
  async managers(
    @CurrentActor() actor: Actor,
    @Params() { id }: FindRunnerParams,
    @Paged() page: Page,
  ): Promise<RunnerManagerRecord[]> {
    await this.access.assertManages(actor, id);
    return (await page.load(this.queries.managers(id))).map(presentRunnerManager);
  }

  @Post(':id/reset_authentication_token')
  @Access({ user: true, makesCredential: true })
  @Returns(NewRunnerTokenRecord, 201)
  async resetToken(
    @CurrentActor() actor: Actor,
    @Params() { id }: FindRunnerParams,
  ): Promise<NewRunnerTokenRecord> {
    const { runner, token } = await this.changes.resetToken(actor, id);
    return { token, token_expires_at: isoTimeOrNull(runner.tokenExpiresAt) };
  }
}
