import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';

/** An approval or rejection of a blocked deployment. */
export class DeploymentApprovalRecord {
  @Nested(() => UserBasicRecord)
  user!: UserBasicRecord;

  @OneOf(['approved', 'rejected'])
  status!: 'approved' | 'rejected';

  @IsoTime()
  created_at!: string;

  @Text({ nullable: true })
  comment!: string | null;
}

/** Required and given approvals of a rule. */
export class ApprovalRuleRecord {
  @Id()
  id!: number;

  @Id({ nullable: true })
  user_id!: number | null;

  @Id({ nullable: true })
  group_id!: number | null;

  @Count({ description: '0: direct members of the group; 1: inherited ones too' })
  group_inheritance_type!: number;

  @Count({ nullable: true })
  access_level!: number | null;

  @Text({ example: 'Maintainers' })
  access_level_description!: string;

  @Count()
  required_approvals!: number;

  @ListOf(() => DeploymentApprovalRecord)
  deployment_approvals!: DeploymentApprovalRecord[];
}

/** Approvals of a deployment by the rules of its environment. */
export class ApprovalSummaryRecord {
  @ListOf(() => ApprovalRuleRecord)
  rules!: ApprovalRuleRecord[];
}
