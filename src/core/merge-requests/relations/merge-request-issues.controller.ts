import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { IssueFinder } from '#core/issues/issue.finder.js';
import { issueCounts } from '#core/issues/issue-counts.js';
import { visibleIssues } from '#core/issues/lists/issue-visibility.js';
import {
  ISSUE_COLUMNS,
  ISSUE_FROM,
  IssueRecord,
  presentIssue,
  type IssueRow,
} from '#core/issues/issue.record.js';
import { FindIssueParams } from '#core/issues/issues.params.js';
import { MergeRequestFinder } from '../merge-request.finder.js';
import { MergeRequestListQueries } from '../lists/merge-request-list.queries.js';
import { MERGE_REQUEST_READ } from '../merge-request.access.js';
import { MergeRequestRecord } from '../records/merge-request.record.js';
import { FindMergeRequestParams } from '../merge-requests.params.js';
import { IssuePresenter } from '#core/issues/issue.presenter.js';

const ISSUES: ListShape = { kind: 'Issue', select: ISSUE_COLUMNS, from: ISSUE_FROM, key: 'i.id' };

/** Only merges into the default branch close issues. */
const CLOSED = `i.id in (select c.issue_id from merge_requests_closing_issues c join merge_requests m on m.id = c.merge_request_id
  join projects o on o.id = m.project_id and o.default_branch = m.target_branch where m.id = ?)`;

const CLOSES = `m.id in (select c.merge_request_id from merge_requests_closing_issues c where c.issue_id = ?)
  and p.default_branch = m.target_branch`;

/** Merge requests that close the issue regardless of their target, that mention it, or that it mentions. */
const RELATED = `m.id in (select c.merge_request_id from merge_requests_closing_issues c where c.issue_id = ?
  union all select x.source_id from note_sources x where x.target_type = 'Issue' and x.target_id = ? and x.source_type = 'MergeRequest'
  union all select x.target_id from note_sources x where x.source_type = 'Issue' and x.source_id = ? and x.target_type = 'MergeRequest')`;

const ISSUE_READ = { project: Role.Guest, publicRead: true, anyone: true, feature: 'issues' } as const;

/** Merge requests of an issue, and issues that a merge request closes (`planning.md` 5.2, 5.3). */
@Controller('api/v4/projects/:id')
export class MergeRequestIssuesController {
  constructor(
    private readonly access: MergeRequestFinder,
    private readonly issues: IssueFinder,
    private readonly lists: MergeRequestListQueries,
    private readonly views: IssuePresenter,
    private readonly links: Links,
  ) {}

  @Get('merge_requests/:merge_request_iid/closes_issues')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(IssueRecord)
  async closesIssues(
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestParams,
    @Paged() page: Page,
  ): Promise<IssueRecord[]> {
    const { id } = await this.access.find(caller, iid);
    const visible = visibleIssues(caller.actor);
    const counts = issueCounts(caller.actor);
    const query = new ListQuery<IssueRow>(ISSUES)
      .show(counts.sql, ...counts.values)
      .where(CLOSED, id)
      .where(visible.sql, ...visible.values);
    const rows = await page.load(query);
    const view = await this.views.of(caller, rows);
    return rows.map((row) => presentIssue(row, view, this.links));
  }

  @Get('issues/:issue_iid/closed_by')
  @Access(ISSUE_READ)
  @ReturnsList(MergeRequestRecord)
  closedBy(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { issue_iid: iid }: FindIssueParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    return this.ofIssue(caller, iid, page, CLOSES);
  }

  @Get('issues/:issue_iid/related_merge_requests')
  @Access(ISSUE_READ)
  @ReturnsList(MergeRequestRecord)
  related(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { issue_iid: iid }: FindIssueParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    return this.ofIssue(caller, iid, page, RELATED);
  }

  private async ofIssue(
    caller: ProjectCaller,
    iid: number,
    page: Page,
    condition: string,
  ): Promise<object[]> {
    const { id } = await this.issues.toRead(caller, iid);
    return this.lists.narrowed('many', caller, { sort: 'asc' }, page, (query) => {
      query.where(condition, ...Array.from(condition.matchAll(/\?/g), () => id));
      this.lists.keepReadable(query, caller.actor);
    });
  }
}
