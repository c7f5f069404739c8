import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { assertMayReadJobs, JOB_READ, JOB_WRITE } from '../jobs/job-access.js';
import { CommitStatusRecord, presentCommitStatus } from './commit-status.record.js';
import { ListCommitStatusesParams, SetCommitStatusParams } from './commit-statuses.params.js';
import { CommitStatusesQueries } from './commit-statuses.queries.js';
import { CommitStatusesService } from './commit-statuses.service.js';
import { StatusTargetFinder } from './status-target.finder.js';

/** Commit statuses (`ci.md` 5.4). */
@Controller('api/v4/projects/:id')
export class CommitStatusesController {
  constructor(
    private readonly statuses: CommitStatusesService,
    private readonly targets: StatusTargetFinder,
    private readonly queries: CommitStatusesQueries,
    private readonly links: Links,
  ) {}

  @Post('statuses/:sha')
  @Access(JOB_WRITE)
  @Returns(CommitStatusRecord, 201)
  async set(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: SetCommitStatusParams,
  ): Promise<CommitStatusRecord> {
    return presentCommitStatus(await this.statuses.set(project, caller, params), this.links);
  }

  @Get('repository/commits/:sha/statuses')
  @Access({ ...JOB_READ, project: Role.Reporter })
  @ReturnsList(CommitStatusRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListCommitStatusesParams,
    @Paged() page: Page,
  ): Promise<CommitStatusRecord[]> {
    assertMayReadJobs(caller);
    const sha = await this.targets.commit(project, params.sha);
    const rows = await page.load(this.queries.list(project.id, sha, params));
    return rows.map((row) => presentCommitStatus(row, this.links));
  }
}
