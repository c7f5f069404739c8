import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { NotFound } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/returns.js';
import { ENVIRONMENT_READ } from '#core/environments/environment-access.js';
import { DeploymentQueries } from './deployments.queries.js';
import { ListDeploymentMergeRequests } from './merge-request-filters.js';
import { ShippedMergeRequestRecord } from './shipped-merge-request.record.js';

/** Merge requests that a deployment shipped. */
@Controller('api/v4/projects')
export class DeploymentMergeRequestsController {
  constructor(private readonly queries: DeploymentQueries) {}

  /** A project without merge requests has none to show: deployments are linked to them when they are merged. */
  @Get(':id/deployments/:deployment_id/merge_requests')
  @Access(ENVIRONMENT_READ)
  @ReturnsList(ShippedMergeRequestRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() { deployment_id: id }: ListDeploymentMergeRequests,
    @Paged() page: Page,
  ): Promise<ShippedMergeRequestRecord[]> {
    if (!(await this.queries.exists(project.id, id))) throw NotFound('Deployment');
    return page.slice<ShippedMergeRequestRecord>([]);
  }
}
