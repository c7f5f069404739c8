import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, type GroupCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { presentIssue, type IssueView } from '#core/issues/issue.record.js';
import { EpicFinder } from '../visibility/epic.finder.js';
import { FindEpicParams } from '../epics.params.js';
import { presentEpicBasic } from '../records/present-epic.js';
import { EpicIssueLinkRecord, EpicIssueRecord } from './epic-issue.record.js';
import { FindEpicIssueParams, LinkEpicIssueParams, MoveEpicIssueParams } from './epic-issues.params.js';
import { EpicIssueList, type EpicIssueRow } from './epic-issue-list.js';
import { EpicIssuesQueries, type EpicIssueLink } from './epic-issues.queries.js';
import { EpicIssuesService } from './epic-issues.service.js';

/** Access for everyone who can see the group; other missing rights have their own errors. */
const EPIC_ISSUES = { group: Role.Guest, publicRead: true, tier: Tier.Premium } as const;

/** The issues of an epic, and their order (`api-v4.md` 4.12). */
@Controller('api/v4/groups/:id/epics/:epic_iid/issues')
export class EpicIssuesController {
  constructor(
    private readonly access: EpicFinder,
    private readonly issues: EpicIssuesService,
    private readonly queries: EpicIssuesQueries,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(EPIC_ISSUES)
  @ReturnsList(EpicIssueRecord)
  async list(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() { epic_iid: iid }: FindEpicParams,
    @Paged() page: Page,
  ): Promise<EpicIssueRecord[]> {
    const rows = await page.load(new EpicIssueList(caller, iid));
    // Only for an empty list the epic must be checked.
    if (rows.length === 0) await this.access.find(caller, iid);
    return rows.map((row) => this.show(caller, row));
  }

  @Post(':issue_id')
  @Refuses({ 409: 'It is in this epic already', 422: 'The epic is confidential and the issue is not' })
  @Access(EPIC_ISSUES)
  @Returns(EpicIssueLinkRecord, 201)
  async link(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() { epic_iid: iid, issue_id: issueId }: LinkEpicIssueParams,
  ): Promise<EpicIssueLinkRecord> {
    const epic = await this.access.findToFill(caller, iid);
    const id = await this.issues.link(caller, epic, issueId);
    return this.showLink(caller, await this.queries.link(caller.actor, id, epic.id));
  }

  @Delete(':epic_issue_id')
  @Access(EPIC_ISSUES)
  @Returns(EpicIssueLinkRecord)
  async unlink(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() { epic_iid: iid, epic_issue_id: id }: FindEpicIssueParams,
  ): Promise<EpicIssueLinkRecord> {
    const epic = await this.access.findToFill(caller, iid);
    const link = await this.queries.link(caller.actor, id, epic.id);
    await this.issues.unlink(caller, epic, id);
    return this.showLink(caller, link);
  }

  @Put(':epic_issue_id')
  @Access(EPIC_ISSUES)
  @ReturnsList(EpicIssueRecord)
  async move(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @Params() params: MoveEpicIssueParams,
    @Paged() page: Page,
  ): Promise<EpicIssueRecord[]> {
    const actor = caller.actor;
    const epic = await this.access.findToFill(caller, params.epic_iid);
    const { epic_issue_id: id, move_before_id: before, move_after_id: after } = params;
    await this.issues.move(caller, epic, id, before ?? null, after ?? null);
    const rows = await page.load(new EpicIssueList(caller, params.epic_iid));
    const heard = await this.queries.subscribed(
      rows.map((row) => row.id),
      actor.id,
    );
    return rows.map((row) => Object.assign(this.show(caller, row), { subscribed: heard.has(row.id) }));
  }

  private show(caller: Caller, row: EpicIssueRow): EpicIssueRecord {
    const { epic_issue_id, relative_position } = row;
    return Object.assign(presentIssue(row, viewOf(caller, row), this.links), {
      epic_issue_id,
      relative_position,
    });
  }

  private async showLink(caller: Caller, row: EpicIssueLink): Promise<EpicIssueLinkRecord> {
    return {
      id: row.epic_issue_id,
      relative_position: row.relative_position,
      epic: presentEpicBasic(await this.queries.epic(row.epic_id), this.links),
      issue: presentIssue(row, viewOf(caller, row), this.links),
    };
  }
}

/** The same issues where clients write `/-/` before epics. */
@Controller('api/v4/groups/:id/-/epics/:epic_iid/issues')
export class EpicIssueAliasesController extends EpicIssuesController {}

/** All rows belong to the epic of the request, which the caller can read. */
const viewOf = ({ tier, subject }: Caller, { epic }: EpicIssueRow): IssueView => ({
  tier,
  viewedFrom: subject?.fullPath ?? null,
  readableEpicIds: new Set(epic ? [epic.id] : []),
});
