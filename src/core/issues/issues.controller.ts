import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { takeSlotForWritten } from '#kernel/http/answers/large-answers.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import { DescriptionCommandsService } from '#core/quick-actions/description-commands.service.js';
import { CreateIssue } from './writes/create-issue.use-case.js';
import { IssueFinder } from './issue.finder.js';
import { IssueNoteableContribution } from './issue-noteable.contribution.js';
import { IssueRecord, type IssueRow } from './issue.record.js';
import { CreateIssueParams, FindIssueParams, UpdateIssueParams } from './issues.params.js';
import { IssueListQueries } from './lists/issue-list.queries.js';
import { IssuesQueries } from './issues.queries.js';
import { IssuesService } from './issues.service.js';
import { ListIssuesParams } from './lists/list-issues.params.js';
import { UpdateIssue } from './writes/update-issue.use-case.js';
import { IssuePresenter } from './issue.presenter.js';

const READ = { project: Role.Guest, publicRead: true, anyone: true, feature: 'issues' } as const;
/**
 * Access for creating issues: signed-in users who can see the project; the right to change one depends on the
 * issue.
 */
const WRITE = { project: Role.Guest, publicRead: true, feature: 'issues' } as const;

/** Issues of a project (`planning.md` 5.2). */
@Controller('api/v4/projects/:id/issues')
export class IssuesController {
  constructor(
    private readonly access: IssueFinder,
    private readonly creation: CreateIssue,
    private readonly changes: UpdateIssue,
    private readonly issues: IssuesService,
    private readonly lists: IssueListQueries,
    private readonly queries: IssuesQueries,
    private readonly views: IssuePresenter,
    private readonly commands: DescriptionCommandsService,
    private readonly source: IssueNoteableContribution,
  ) {}

  @Get()
  @Access(READ)
  @ReturnsList(IssueRecord)
  async list(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: ListIssuesParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    const rows = await page.load(this.lists.ofProject(caller, params));
    return this.views.present(caller, rows);
  }

  @Get(':issue_iid')
  @Access(READ)
  @Returns(IssueRecord)
  async find(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { issue_iid: iid }: FindIssueParams,
  ): Promise<IssueRecord> {
    await this.access.toRead(caller, iid);
    return this.present(caller, iid);
  }

  @Post()
  @Refuses({
    409: 'The project has an issue with this iid',
    422: 'The epic is confidential and the issue is not',
  })
  @Access(WRITE)
  @Returns(IssueRecord, 201)
  async create(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: CreateIssueParams,
  ): Promise<IssueRecord> {
    const { id: projectId } = caller.subject;
    const container = { type: 'Issue', projectId, groupId: null } as const;
    await this.creation.admit(caller);
    const read = { isAsWritten: true };
    const find = ({ iid }: IssueRow): Promise<Noteable> => {
      read.isAsWritten = false;
      return this.source.find(caller, iid);
    };
    const create = (wanted: CreateIssueParams): Promise<IssueRow> => this.creation.create(caller, wanted);
    const row = await this.commands.create(caller, { ...container, find }, params, create);
    return read.isAsWritten ? this.presentWritten(caller, row) : this.present(caller, row.iid);
  }

  @Put(':issue_iid')
  @Refuses({ 422: 'The epic is confidential and the issue is not' })
  @Access(WRITE)
  @Returns(IssueRecord)
  async update(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: UpdateIssueParams,
  ): Promise<IssueRecord> {
    const { issue_iid: iid } = params;
    const read: { row: IssueRow | null } = { row: null };
    const update = async (wanted: UpdateIssueParams): Promise<void> => {
      read.row = await this.changes.updated(caller, wanted);
    };
    const find = (): Promise<Noteable> => {
      read.row = null;
      return this.source.find(caller, iid);
    };
    await this.commands.update(caller, params, update, find);
    return read.row ? this.presentWritten(caller, read.row) : this.present(caller, iid);
  }

  @Delete(':issue_iid')
  @Access(WRITE)
  @ReturnsNothing()
  remove(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { issue_iid: iid }: FindIssueParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.issues.remove(caller, iid, unmodified);
  }

  private async presentWritten(caller: Caller, row: IssueRow): Promise<IssueRecord> {
    await takeSlotForWritten((row.description?.length ?? 0) + (row.milestone?.description?.length ?? 0));
    return this.views.presentOne(caller, row);
  }

  private async present(caller: ProjectCaller, iid: number): Promise<IssueRecord> {
    const { id } = caller.subject;
    const row = await this.queries.find(id, iid, caller.actor);
    return this.views.presentOne(caller, row);
  }
}
