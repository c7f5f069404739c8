import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindIssueParams } from '../issues.params.js';
import { LINK_TYPES, type LinkType } from './issue-link.record.js';

/** Parameters of a new link. */
export class CreateIssueLinkParams extends FindIssueParams {
  @Text({ maxLength: 1_000, description: 'Id or path of the project of the other issue', example: '7' })
  target_project_id!: string;

  @Id({ min: 0, description: 'Number of the other issue in its project' })
  target_issue_iid!: number;

  @OneOf(LINK_TYPES, { optional: true, description: 'Default: relates_to; the others are premium' })
  link_type?: LinkType;
}

/** Path parameters of a link. */
export class FindIssueLinkParams extends FindIssueParams {
  @Id({ min: 0 })
  issue_link_id!: number;
}
