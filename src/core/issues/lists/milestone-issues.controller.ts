import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type ProjectCaller,
  type GroupCaller,
  type SubjectCaller,
  CurrentCaller,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Id } from '#kernel/http/fields/scalar-fields.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { IssueRecord } from '../issue.record.js';
import { IssuesQueries } from '../issues.queries.js';
import { IssuePresenter } from '../issue.presenter.js';

/** One milestone. */
export class FindMilestoneIssuesParams {
  @Id({ min: 0 })
  milestone_id!: number;
}

const EXISTS = {
  Project: 'select 1 from milestones where id = $1 and project_id = $2',
  Group: 'select 1 from milestones where id = $1 and group_id = $2',
} as const;

/** Those of archived projects too. */
const SHOWN = { non_archived: false };

/** Issues that a milestone is set for (`planning.md` 5.4). */
@Controller('api/v4')
export class MilestoneIssuesController {
  constructor(
    private readonly database: ReadDatabase,
    private readonly queries: IssuesQueries,
    private readonly views: IssuePresenter,
  ) {}

  @Get('projects/:id/milestones/:milestone_id/issues')
  @Access({ project: Role.Guest, publicRead: true, anyone: true, feature: 'issues' })
  @ReturnsList(IssueRecord)
  ofProject(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { milestone_id: id }: FindMilestoneIssuesParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    return this.list(caller, id, page, this.queries.ofProject(caller, SHOWN, id));
  }

  @Get('groups/:id/milestones/:milestone_id/issues')
  @Access({ group: Role.Guest, publicRead: true, anyone: true })
  @ReturnsList(IssueRecord)
  ofGroup(
    @CurrentCaller() caller: GroupCaller,
    @Params() { milestone_id: id }: FindMilestoneIssuesParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    return this.list(caller, id, page, this.queries.ofGroup(caller, SHOWN, id));
  }

  private async list(
    caller: SubjectCaller,
    id: number,
    page: Page,
    query: ReturnType<IssuesQueries['ofProject']>,
  ): Promise<IssueRecord[]> {
    const { subject } = caller;
    if (!(await this.database.one(EXISTS[subject.kind], [id, subject.id]))) throw notFound('Milestone');
    return this.views.present(caller, await page.load(query));
  }
}
