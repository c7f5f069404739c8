import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type ProjectCaller, type GroupCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { unauthorized } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { IssueListQueries } from './issue-list.queries.js';
import { IssuesStatisticsRecord } from './issues-statistics.record.js';
import { FilterIssuesParams, withScope } from './list-issues.params.js';

/** Counts of issues by state, with the filters of lists. */
@Controller('api/v4')
export class IssuesStatisticsController {
  constructor(private readonly lists: IssueListQueries) {}

  @Get('issues_statistics')
  @Access({ anyone: true })
  @Returns(IssuesStatisticsRecord)
  all(
    @CurrentCaller() caller: Caller,
    @Params() params: FilterIssuesParams,
  ): Promise<IssuesStatisticsRecord> {
    const { scope = 'created_by_me' } = params;
    if (!caller.actor && scope !== 'all') throw unauthorized();
    return this.count(this.lists.everywhere(caller, withScope(params, scope)));
  }

  @Get('groups/:id/issues_statistics')
  @Access({ group: Role.Guest, publicRead: true, anyone: true })
  @Returns(IssuesStatisticsRecord)
  ofGroup(
    @CurrentCaller() caller: GroupCaller,
    @Params() params: FilterIssuesParams,
  ): Promise<IssuesStatisticsRecord> {
    return this.count(this.lists.ofGroup(caller, params));
  }

  @Get('projects/:id/issues_statistics')
  @Access({ project: Role.Guest, publicRead: true, anyone: true, feature: 'issues' })
  @Returns(IssuesStatisticsRecord)
  ofProject(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: FilterIssuesParams,
  ): Promise<IssuesStatisticsRecord> {
    return this.count(this.lists.ofProject(caller, params));
  }

  private async count(query: ListQuery<object>): Promise<IssuesStatisticsRecord> {
    return { statistics: { counts: await this.lists.countByState(query) } };
  }
}
