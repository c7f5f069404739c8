import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type Caller,
  type GroupCaller,
  type Actor,
  CurrentCaller,
  CurrentActor,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { unauthorized } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { IssueRecord } from '../issue.record.js';
import { FindIssueByIdParams } from '../issues.params.js';
import { IssueListQueries } from './issue-list.queries.js';
import { IssuesQueries } from '../issues.queries.js';
import { ListIssuesParams, withScope } from './list-issues.params.js';
import { IssuePresenter } from '../issue.presenter.js';

/** Issues of many projects (`planning.md` 5.2). */
@Controller('api/v4')
export class IssueListsController {
  constructor(
    private readonly lists: IssueListQueries,
    private readonly queries: IssuesQueries,
    private readonly views: IssuePresenter,
  ) {}

  @Get('issues')
  @Access({ anyone: true })
  @ReturnsList(IssueRecord)
  async all(
    @CurrentCaller() caller: Caller,
    @Params() params: ListIssuesParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    const { scope = 'created_by_me' } = params;
    // Scopes about the caller need a signed-in caller.
    if (!caller.actor && scope !== 'all') throw unauthorized();
    const rows = await page.load(this.lists.everywhere(caller, withScope(params, scope)));
    return this.views.present(caller, rows);
  }

  @Get('issues/:issue_id')
  @Access({ admin: true })
  @Returns(IssueRecord)
  async find(
    @CurrentActor() actor: Actor,
    @CurrentCaller() caller: Caller,
    @Params() { issue_id: id }: FindIssueByIdParams,
  ): Promise<IssueRecord> {
    const row = await this.queries.findById(id, actor);
    return this.views.presentOne(caller, row);
  }

  @Get('groups/:id/issues')
  @Access({ group: Role.Guest, publicRead: true, anyone: true })
  @ReturnsList(IssueRecord)
  async ofGroup(
    @CurrentCaller() caller: GroupCaller,
    @Params() params: ListIssuesParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    const rows = await page.load(this.lists.ofGroup(caller, params));
    return this.views.present(caller, rows);
  }
}
