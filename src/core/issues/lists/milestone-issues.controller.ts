import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
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
    @CurrentCaller() caller: Caller,
    @Params() { milestone_id: id }: FindMilestoneIssuesParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    return this.list(caller, id, page);
  }

  @Get('groups/:id/milestones/:milestone_id/issues')
  @Access({ group: Role.Guest, publicRead: true, anyone: true })
  @ReturnsList(IssueRecord)
  ofGroup(
    @CurrentCaller() caller: Caller,
    @Params() { milestone_id: id }: FindMilestoneIssuesParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    return this.list(caller, id, page);
  }

  private async list(caller: Caller, id: number, page: Page): Promise<IssueRecord[]> {
    const { subject } = caller;
    if (!subject || !(await this.database.one(EXISTS[subject.kind], [id, subject.id])))
      throw notFound('Milestone');
    const params = { non_archived: false };
    const of = subject.kind === 'Project' ? 'ofProject' : 'ofGroup';
    const rows = await page.load(this.queries[of](caller, params, id));
    return this.views.present(caller, rows);
  }
}
