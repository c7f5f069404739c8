import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type ProjectCaller,
  type GroupCaller,
  type SubjectCaller,
  CurrentCaller,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { ListOfMilestoneParams } from '#core/issuables/lists/of-milestone.params.js';
import { ofMilestone } from '#core/issuables/lists/of-milestone.js';
import { MilestonesQueries } from '#core/milestones/milestones.queries.js';
import { IssueRecord } from '../issue.record.js';
import { IssueListQueries } from './issue-list.queries.js';
import { IssuePresenter } from '../issue.presenter.js';

/** Also includes archived projects. */
const SHOWN = { non_archived: false };

/** Issues of a milestone (`planning.md` 5.4). */
@Controller('api/v4')
export class MilestoneIssuesController {
  constructor(
    private readonly milestones: MilestonesQueries,
    private readonly lists: IssueListQueries,
    private readonly views: IssuePresenter,
  ) {}

  @Get('projects/:id/milestones/:milestone_id/issues')
  @Access({ project: Role.Guest, publicRead: true, anyone: true, feature: 'issues' })
  @ReturnsList(IssueRecord)
  ofProject(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { milestone_id: id }: ListOfMilestoneParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    return this.list(caller, id, page, this.lists.ofProject(caller, SHOWN, ofMilestone(ISSUE, id)));
  }

  @Get('groups/:id/milestones/:milestone_id/issues')
  @Access({ group: Role.Guest, publicRead: true, anyone: true })
  @ReturnsList(IssueRecord)
  ofGroup(
    @CurrentCaller() caller: GroupCaller,
    @Params() { milestone_id: id }: ListOfMilestoneParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    return this.list(caller, id, page, this.lists.ofGroup(caller, SHOWN, ofMilestone(ISSUE, id)));
  }

  private async list(
    caller: SubjectCaller,
    id: number,
    page: Page,
    query: ReturnType<IssueListQueries['ofProject']>,
  ): Promise<IssueRecord[]> {
    await this.milestones.assertExists(caller, id);
    return this.views.present(caller, await page.load(query));
  }
}
