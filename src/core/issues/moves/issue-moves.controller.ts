import { Controller, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { IssueRecord } from '../issue.record.js';
import { CloneIssueParams, MoveIssueParams, ReorderIssueParams } from '../issues.params.js';
import { IssuesQueries } from '../issues.queries.js';
import { MoveIssue } from './move-issue.use-case.js';
import { ReorderIssue } from './reorder-issue.use-case.js';
import { IssuePresenter } from '../issue.presenter.js';

/**
 * Access for users who can see the project: the rights on the issue decide, so that a hidden one is reported
 * as missing.
 */
const WRITE = { project: Role.Guest, publicRead: true, feature: 'issues' } as const;

/** Moves issues to other projects, or to another position. */
@Controller('api/v4/projects/:id/issues/:issue_iid')
export class IssueMovesController {
  constructor(
    private readonly moves: MoveIssue,
    private readonly order: ReorderIssue,
    private readonly queries: IssuesQueries,
    private readonly views: IssuePresenter,
  ) {}

  @Post('move')
  @Access(WRITE)
  @Returns(IssueRecord, 201)
  async move(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: MoveIssueParams,
  ): Promise<IssueRecord> {
    return this.present(caller, await this.moves.move(caller, params));
  }

  @Post('clone')
  @Access(WRITE)
  @Returns(IssueRecord, 201)
  async clone(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: CloneIssueParams,
  ): Promise<IssueRecord> {
    return this.present(caller, await this.moves.clone(caller, params));
  }

  @Put('reorder')
  @Access(WRITE)
  @Returns(IssueRecord)
  async reorder(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: ReorderIssueParams,
  ): Promise<IssueRecord> {
    await this.order.run(caller, params);
    const { id } = caller.subject;
    const row = await this.queries.find(id, params.issue_iid, caller.actor);
    return this.views.presentOne(caller, row);
  }

  private async present(caller: Caller, id: number): Promise<IssueRecord> {
    const row = await this.queries.findById(id, caller.actor);
    return this.views.presentOne(caller, row);
  }
}
