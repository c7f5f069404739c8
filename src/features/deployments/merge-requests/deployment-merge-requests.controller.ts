import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { DEPLOYMENT_READ } from '#core/environments/environment-access.js';
import { MergeRequestListQueries } from '#core/merge-requests/lists/merge-request-list.queries.js';
import { ListedMergeRequestRecord } from '#core/merge-requests/records/merge-request.record.js';
import { DeploymentsQueries } from '../deployments.queries.js';
import { ListDeploymentMergeRequestsParams } from './deployment-merge-requests.params.js';

const SHIPPED =
  'm.id = any(array(select s.merge_request_id from deployment_merge_requests s where s.deployment_id = ?))';

/** Merge requests that a deployment shipped. */
@Controller('api/v4/projects')
export class DeploymentMergeRequestsController {
  constructor(
    private readonly queries: DeploymentsQueries,
    private readonly lists: MergeRequestListQueries,
  ) {}

  /** Lists nothing for callers who may not read the merge requests of the project. */
  @Get(':id/deployments/:deployment_id/merge_requests')
  @Access(DEPLOYMENT_READ)
  @ReturnsList(ListedMergeRequestRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListDeploymentMergeRequestsParams,
    @Paged() page: Page,
  ): Promise<object[]> {
    const { deployment_id: id } = params;
    if (!(await this.queries.exists(project.id, id))) throw notFound('Deployment');
    return this.lists.narrowed('many', caller, params, page, (query) => {
      this.lists.keepReadable(query, caller.actor);
      query.where(SHIPPED, id);
    });
  }
}
