import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Id } from '#kernel/http/fields/scalar-fields.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { MergeRequestListQueries } from '../lists/merge-request-list.queries.js';
import { MERGE_REQUEST_READ } from '../merge-request.access.js';
import { MergeRequestRecord } from '../records/merge-request.record.js';

/** One milestone. */
export class FindMilestoneMergeRequestsParams {
  @Id({ min: 0 })
  milestone_id!: number;
}

const EXISTS = {
  Project: 'select 1 from milestones where id = $1 and project_id = $2',
  Group: 'select 1 from milestones where id = $1 and group_id = $2',
} as const;

/** Merge requests that a milestone is set for (`planning.md` 5.4). */
@Controller('api/v4')
export class MilestoneMergeRequestsController {
  constructor(
    private readonly database: ReadDatabase,
    private readonly lists: MergeRequestListQueries,
  ) {}

  @Get('projects/:id/milestones/:milestone_id/merge_requests')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(MergeRequestRecord)
  async ofProject(
    @CurrentCaller() caller: Caller,
    @Params() { milestone_id: id }: FindMilestoneMergeRequestsParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    await this.assertThere(caller, id);
    return this.lists.load('project', caller, {}, page, (query) => query.where('m.milestone_id = ?', id));
  }

  @Get('groups/:id/milestones/:milestone_id/merge_requests')
  @Access({ group: Role.Guest, publicRead: true, anyone: true })
  @ReturnsList(MergeRequestRecord)
  async ofGroup(
    @CurrentCaller() caller: Caller,
    @Params() { milestone_id: id }: FindMilestoneMergeRequestsParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    await this.assertThere(caller, id);
    return this.lists.ofGroup(caller, { non_archived: false }, page, (query) =>
      query.where('m.milestone_id = ?', id),
    );
  }

  private async assertThere({ subject }: Caller, id: number): Promise<void> {
    if (!subject || !(await this.database.one(EXISTS[subject.kind], [id, subject.id])))
      throw notFound('Milestone');
  }
}
