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
import { withLaterCommits } from './later-commits.js';
import { MergeRequestRecord } from '../records/merge-request.record.js';

/**
 * Merge requests that merged the commit, or one of whose versions contains it: its head comes from the commit or is it, but
 * not the commit from which it started.
 */
const BROUGHT = `(m.merge_commit_sha = ? or m.squash_commit_sha = ? or m.head_sha = ?
  or m.id in (select v.merge_request_id from unnest(?::text[]) later(sha) join merge_request_versions v on v.head_sha = later.sha
    where v.head_sha = ? or v.base_sha is null or v.base_sha <> all(?::text[])))`;

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
    const { repository, id } = await this.reading.resolve(project, sha);
    const later = await withLaterCommits(repository.path, id);
    return this.lists.narrowed('project', caller, {}, page, (query) => {
      query.of('m.project_id', project.id).where(BROUGHT, id, id, id, later, id, later);
    });
  }
}
