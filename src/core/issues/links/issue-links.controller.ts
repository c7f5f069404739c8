import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { IssueFinder } from '../issue.finder.js';
import { IssuePresenter } from '../issue.presenter.js';
import { FindIssueParams } from '../issues.params.js';
import { IssuesQueries } from '../issues.queries.js';
import { IssueLinkRecord, RelatedIssueRecord } from './issue-link.record.js';
import { CreateIssueLinkParams, FindIssueLinkParams } from './issue-links.params.js';
import { IssueLinksQueries, type RelatedIssueRow } from './issue-links.queries.js';
import { IssueLinksService } from './issue-links.service.js';
import { LinkedIssueFinder } from './linked-issue.finder.js';

/** Access to links; the right to change one depends on both issues. */
const LINKS = { project: Role.Guest, publicRead: true, feature: 'issues' } as const;

/** Links between issues: relations and blockers. */
@Controller('api/v4/projects/:id/issues/:issue_iid/links')
export class IssueLinksController {
  constructor(
    private readonly access: IssueFinder,
    private readonly links: IssueLinksService,
    private readonly others: LinkedIssueFinder,
    private readonly queries: IssueLinksQueries,
    private readonly issues: IssuesQueries,
    private readonly views: IssuePresenter,
  ) {}

  @Get()
  @Access(LINKS)
  @ReturnsList(RelatedIssueRecord)
  async list(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { issue_iid: iid }: FindIssueParams,
    @Paged() page: Page,
  ): Promise<RelatedIssueRecord[]> {
    const { id } = await this.access.toRead(caller, iid);
    const rows = await page.load<RelatedIssueRow>(this.queries.related(caller, id));
    const records = await this.views.present(caller, rows);
    return rows.map((row, index) =>
      Object.assign(records[index] as RelatedIssueRecord, {
        issue_link_id: row.issue_link_id,
        link_type: row.link_type,
        link_created_at: row.link_created_at,
        link_updated_at: row.link_updated_at,
      }),
    );
  }

  @Get(':issue_link_id')
  @Access(LINKS)
  @Returns(IssueLinkRecord)
  async find(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() { issue_iid: iid, issue_link_id: linkId }: FindIssueLinkParams,
  ): Promise<IssueLinkRecord> {
    const { id } = await this.access.toRead(caller, iid);
    return this.present(caller, linkId, id);
  }

  @Post()
  @Access(LINKS)
  @Returns(IssueLinkRecord, 201)
  @Refuses({ 409: 'They are already linked', 422: 'It is the issue itself' })
  async create(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: CreateIssueLinkParams,
  ): Promise<IssueLinkRecord> {
    const linkId = await this.links.create(caller, params);
    const { id } = await this.access.toRead(caller, params.issue_iid);
    return this.present(caller, linkId, id);
  }

  @Delete(':issue_link_id')
  @Access(LINKS)
  @Returns(IssueLinkRecord)
  async remove(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() { issue_iid: iid, issue_link_id: linkId }: FindIssueLinkParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<IssueLinkRecord> {
    const { id } = await this.access.toRead(caller, iid);
    const record = await this.present(caller, linkId, id);
    await this.links.remove(caller, iid, linkId, unmodified);
    return record;
  }

  /** Returns a link of an issue, if the caller may also read the other issue. */
  private async present(
    caller: UserCaller & ProjectCaller,
    linkId: number,
    issueId: number,
  ): Promise<IssueLinkRecord> {
    const link = await this.queries.find(linkId, issueId);
    await this.others.find(caller, String(link.other_project_id), link.other_iid);
    const [source, target] = [
      await this.issues.findById(link.source_id, caller.actor),
      await this.issues.findById(link.target_id, caller.actor),
    ];
    return {
      id: link.id,
      source_issue: await this.views.presentOne(caller, source),
      target_issue: await this.views.presentOne(caller, target),
      link_type: link.link_type,
    };
  }
}
