import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { FreezePeriodRecord, FreezeStatusRecord, presentFreezePeriod } from './freeze-period.record.js';
import {
  CreateFreezePeriodParams,
  FindFreezePeriodParams,
  UpdateFreezePeriodParams,
} from './freeze-periods.params.js';
import { FreezePeriodsQueries } from './freeze-periods.queries.js';
import { FreezePeriodsService } from './freeze-periods.service.js';
import { freezeStatus } from './freeze-status.js';

/** Freeze periods of a project (`api-v4.md` 4.7). */
@Controller('api/v4/projects/:id/freeze_periods')
export class FreezePeriodsController {
  constructor(
    private readonly periods: FreezePeriodsService,
    private readonly queries: FreezePeriodsQueries,
  ) {}

  @Get()
  @Access({ project: Role.Reporter })
  @ReturnsList(FreezePeriodRecord)
  async list(@CurrentProject() { id }: ProjectSubject, @Paged() page: Page): Promise<FreezePeriodRecord[]> {
    return (await page.load(this.queries.list(id))).map(presentFreezePeriod);
  }

  @Get('status')
  @Access({ project: Role.Reporter })
  @Returns(FreezeStatusRecord)
  async status(@CurrentProject() { id }: ProjectSubject): Promise<FreezeStatusRecord> {
    return freezeStatus(await this.queries.ofProject(id));
  }

  @Get(':freeze_period_id')
  @Access({ project: Role.Reporter })
  @Returns(FreezePeriodRecord)
  find(
    @CurrentProject() project: ProjectSubject,
    @Params() { freeze_period_id: id }: FindFreezePeriodParams,
  ): Promise<FreezePeriodRecord> {
    return this.present(project, id);
  }

  @Post()
  @Access({ project: Role.Maintainer })
  @Returns(FreezePeriodRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @Params() params: CreateFreezePeriodParams,
  ): Promise<FreezePeriodRecord> {
    return this.present(project, await this.periods.create(project.id, params));
  }

  @Put(':freeze_period_id')
  @Access({ project: Role.Maintainer })
  @Returns(FreezePeriodRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @Params() { freeze_period_id: id, ...changes }: UpdateFreezePeriodParams,
  ): Promise<FreezePeriodRecord> {
    await this.periods.update(project.id, id, changes);
    return this.present(project, id);
  }

  @Delete(':freeze_period_id')
  @Access({ project: Role.Maintainer })
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @Params() { freeze_period_id: id }: FindFreezePeriodParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.periods.remove(project.id, id, unmodified);
  }

  private async present(project: ProjectSubject, id: number): Promise<FreezePeriodRecord> {
    const row = await this.queries.find(project.id, id);
    if (!row) throw notFound('Freeze Period');
    return presentFreezePeriod(row);
  }
}
