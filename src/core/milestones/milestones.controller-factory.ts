import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import { Access, type AccessRule, type UserRule } from '#kernel/access/access.js';
import { type Caller, type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { named } from '#kernel/http/routes/named.js';
import { requireChange } from '#kernel/http/fields/require-change.js';
import { planningContainer, writableContainer } from '#core/labels/reach/planning-access.js';
import type { PlanningContainer } from '#core/labels/reach/planning-container.js';
import { MilestoneRecord, presentMilestone } from './milestone.record.js';
import {
  CreateMilestoneParams,
  FindMilestoneParams,
  ListMilestonesParams,
  UpdateMilestoneParams,
} from './milestones.params.js';
import { MilestonesQueries } from './milestones.queries.js';
import { MilestonesService } from './milestones.service.js';

/** Differences between the milestone routes of projects and groups. */
interface MilestoneRoutes {
  /** Path of the owners. */
  readonly path: string;
  readonly read: AccessRule;
  readonly write: UserRule;
}

/**
 * Creates the milestones controller of one type of owner, all of which have the same routes. `name`: name of
 * the class.
 */
export function milestonesController(name: string, { path, read, write }: MilestoneRoutes): Type {
  @Controller(path)
  class MilestonesController {
    constructor(
      private readonly milestones: MilestonesService,
      private readonly queries: MilestonesQueries,
      private readonly links: Links,
    ) {}

    @Get(':id/milestones')
    @Access(read)
    @ReturnsList(MilestoneRecord)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() params: ListMilestonesParams,
      @Paged() page: Page,
    ): Promise<MilestoneRecord[]> {
      planningContainer(caller);
      const rows = await page.load(this.queries.list(caller, params));
      return rows.map((row) => presentMilestone(row, this.links));
    }

    @Post(':id/milestones')
    @Access(write)
    @Returns(MilestoneRecord, 201)
    async create(
      @CurrentCaller() caller: UserCaller,
      @Params() params: CreateMilestoneParams,
    ): Promise<MilestoneRecord> {
      const container = writableContainer(caller);
      return this.present(container, await this.milestones.create(container, caller.actor.id, params));
    }

    @Get(':id/milestones/:milestone_id')
    @Access(read)
    @Returns(MilestoneRecord)
    find(
      @CurrentCaller() caller: Caller,
      @Params() { milestone_id: id }: FindMilestoneParams,
    ): Promise<MilestoneRecord> {
      return this.present(planningContainer(caller), id);
    }

    @Put(':id/milestones/:milestone_id')
    @Access(write)
    @Returns(MilestoneRecord)
    async update(
      @CurrentCaller() caller: UserCaller,
      @Params() { milestone_id: id, ...changes }: UpdateMilestoneParams,
    ): Promise<MilestoneRecord> {
      const container = writableContainer(caller);
      requireChange(changes);
      await this.milestones.update(container, caller.actor.id, id, changes);
      return this.present(container, id);
    }

    @Delete(':id/milestones/:milestone_id')
    @Access(write)
    @ReturnsNothing()
    async remove(
      @CurrentCaller() caller: UserCaller,
      @Params() { milestone_id: id }: FindMilestoneParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      await this.milestones.remove(writableContainer(caller), caller.actor.id, id, unmodified);
    }

    private async present(container: PlanningContainer, id: number): Promise<MilestoneRecord> {
      return presentMilestone(await this.queries.find(container, id), this.links);
    }
  }

  return named(MilestonesController, name);
}
