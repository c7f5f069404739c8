import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { CommitReadingService } from '#core/repositories/commits/commit-reading.service.js';
import { FindCommitParams } from '#core/repositories/commits/commits.params.js';
import { assertSeesCode } from '../code/diffs/merge-request-code.finder.js';
import { MergeRequestListQueries } from '../lists/merge-request-list.queries.js';
import { MERGE_REQUEST_READ } from '../merge-request.access.js';
import { MergeRequestRecord } from '../records/merge-request.record.js';

/** Merge requests whose head the commit was, or that it merged. */
const BROUGHT = `(m.merge_commit_sha = ? or m.squash_commit_sha = ? or m.head_sha = ?
  or m.id in (select v.merge_request_id from merge_request_versions v where v.head_sha = ?))`;

/** Merge requests that contain a commit. */
@Controller('api/v4/projects/:id/repository/commits/:sha/merge_requests')
export class CommitMergeRequestsController {
  constructor(
    private readonly reading: CommitReadingService,
    private readonly lists: MergeRequestListQueries,
  ) {}

  @Get()
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(MergeRequestRecord)
  async list(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { sha }: FindCommitParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    const project = caller.subject;
    assertSeesCode(project, caller);
    const { id } = await this.reading.resolve(project, sha);
    return this.lists.narrowed('project', caller, {}, page, (query) => {
      query.where('m.project_id = ?', project.id).where(BROUGHT, id, id, id, id);
    });
  }
}
