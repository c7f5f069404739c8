import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { DeploymentApprovalRecord } from '../deployment-approval.record.js';
import { ApproveDeployment } from './approve-deployment.use-case.js';
import { ApproveDeploymentParams } from './approve-deployment.params.js';
import { presentApproval } from './present-approvals.js';

/** Approves deployments; not with a job token, which could approve deployments of its own pipeline. */
@Controller('api/v4/projects')
export class ApprovalsController {
  constructor(
    private readonly approving: ApproveDeployment,
    private readonly links: Links,
  ) {}

  /** Callers who may read the deployment get the reason if they cannot approve it. */
  @Post(':id/deployments/:deployment_id/approval')
  @Access({ project: Role.Reporter, publicRead: true, feature: 'deployments', tier: Tier.Premium })
  @Returns(DeploymentApprovalRecord, 201)
  async approve(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ApproveDeploymentParams,
  ): Promise<DeploymentApprovalRecord> {
    return presentApproval(await this.approving.run(project, caller, params), this.links);
  }
}
