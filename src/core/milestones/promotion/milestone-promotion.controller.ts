import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { writableContainer } from '#core/labels/reach/planning-access.js';
import { MilestoneRecord, presentMilestone } from '../milestone.record.js';
import { FindMilestoneParams } from '../milestones.params.js';
import { MilestonesQueries } from '../milestones.queries.js';
import { PromoteMilestone } from './promote-milestone.use-case.js';

/** Promotes milestones of projects to their groups. */
@Controller('api/v4/projects/:id/milestones/:milestone_id/promote')
export class MilestonePromotionController {
  constructor(
    private readonly promotion: PromoteMilestone,
    private readonly queries: MilestonesQueries,
    private readonly links: Links,
  ) {}

  @Post()
  @Access({ project: Role.Reporter })
  @Returns(MilestoneRecord)
  async promote(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { milestone_id: id }: FindMilestoneParams,
  ): Promise<MilestoneRecord> {
    writableContainer(caller);
    const groupId = await this.promotion.run(caller, id);
    return presentMilestone(await this.queries.find({ groupId }, id), this.links);
  }
}
