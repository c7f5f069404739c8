import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** What approvers can say. */
export const APPROVAL_STATUSES = ['approved', 'rejected'] as const;

/** What an approver says. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What somebody has said to a deployment; one of each user. */
@Entity('deployment_approvals')
export class DeploymentApproval extends BaseEntity {
  @Column({ type: 'bigint' })
  deploymentId!: number;

  @Column({ type: 'bigint' })
  userId!: number;

  /** The rule that counts it; null where there are no rules. */
  @Column({ type: 'bigint', nullable: true })
  ruleId!: number | null;

  @Column({ type: 'text' })
  status!: ApprovalStatus;

  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  /** Whether it was given with the rights of an administrator; null where nobody has said. */
  @Column({ type: 'boolean', nullable: true })
  asAdmin!: boolean | null;
}
