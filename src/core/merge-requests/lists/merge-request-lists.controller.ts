import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller, type GroupCaller, type ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { ListMergeRequestsParams, ListProjectMergeRequestsParams } from './list-merge-requests.params.js';
import { MergeRequestListQueries } from './merge-request-list.queries.js';
import { MERGE_REQUEST_READ } from '../merge-request.access.js';
import { ListedMergeRequestRecord } from '../records/merge-request.record.js';

/** Lists of merge requests: all, of a group, of a project (`planning.md` 5.3). */
@Controller('api/v4')
export class MergeRequestListsController {
  constructor(private readonly lists: MergeRequestListQueries) {}

  @Get('merge_requests')
  @Access({ anyone: true })
  @ReturnsList(ListedMergeRequestRecord)
  everywhere(
    @CurrentCaller() caller: Caller,
    @Params() params: ListMergeRequestsParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    return this.lists.everywhere(caller, params, page);
  }

  @Get('groups/:id/merge_requests')
  @Access({ group: Role.Guest, publicRead: true, anyone: true })
  @ReturnsList(ListedMergeRequestRecord)
  ofGroup(
    @CurrentCaller() caller: GroupCaller,
    @Params() params: ListMergeRequestsParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    return this.lists.ofGroup(caller, params, page);
  }

  @Get('projects/:id/merge_requests')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(ListedMergeRequestRecord)
  ofProject(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: ListProjectMergeRequestsParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    return this.lists.ofProject(caller, params, page);
  }
}
