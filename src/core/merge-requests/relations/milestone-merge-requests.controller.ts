import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type GroupCaller, type ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { ListOfMilestoneParams } from '#core/issuables/lists/of-milestone.params.js';
import { ofMilestone } from '#core/issuables/lists/of-milestone.js';
import { MilestonesQueries } from '#core/milestones/milestones.queries.js';
import { MergeRequestListQueries } from '../lists/merge-request-list.queries.js';
import { MERGE_REQUEST_READ } from '../merge-request.access.js';
import { MergeRequestRecord } from '../records/merge-request.record.js';

/** Merge requests of a milestone (`planning.md` 5.4). */
@Controller('api/v4')
export class MilestoneMergeRequestsController {
  constructor(
    private readonly milestones: MilestonesQueries,
    private readonly lists: MergeRequestListQueries,
  ) {}

  @Get('projects/:id/milestones/:milestone_id/merge_requests')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(MergeRequestRecord)
  async ofProject(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { milestone_id: id }: ListOfMilestoneParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    await this.milestones.assertExists(caller, id);
    return this.lists.narrowed('project', caller, {}, page, ofMilestone(MERGE_REQUEST, id));
  }

  @Get('groups/:id/milestones/:milestone_id/merge_requests')
  @Access({ group: Role.Guest, publicRead: true, anyone: true })
  @ReturnsList(MergeRequestRecord)
  async ofGroup(
    @CurrentCaller() caller: GroupCaller,
    @Params() { milestone_id: id }: ListOfMilestoneParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    await this.milestones.assertExists(caller, id);
    return this.lists.ofGroup(caller, { non_archived: false }, page, ofMilestone(MERGE_REQUEST, id));
  }
}
