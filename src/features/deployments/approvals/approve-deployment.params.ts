import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindDeploymentParams } from '../deployments.params.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from './deployment-approval.entity.js';

/** Parameters of an approval. */
export class ApproveDeploymentParams extends FindDeploymentParams {
  @OneOf(APPROVAL_STATUSES)
  status!: ApprovalStatus;

  @Text({ optional: true, nullable: true, maxLength: 255 })
  comment?: string | null;

  @Text({
    optional: true,
    maxLength: 255,
    description: 'Name, or part of it, of the user, group or role of the rule for which the approval counts',
  })
  represented_as?: string;
}
