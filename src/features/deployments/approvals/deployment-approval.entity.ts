import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Decisions of approvers. */
export const APPROVAL_STATUSES = ['approved', 'rejected'] as const;

/** Decision of an approver. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** A decision on a deployment; one per user. */
@Entity('deployment_approvals')
export class DeploymentApproval extends BaseEntity {
  @Column({ type: 'bigint' })
  deploymentId!: number;

  @Column({ type: 'bigint' })
  userId!: number;

  /** The rule that counts it; null without rules. */
  @Column({ type: 'bigint', nullable: true })
  ruleId!: number | null;

  @Column({ type: 'text' })
  status!: ApprovalStatus;

  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  /** Whether it was given with administrator rights; null if unknown. */
  @Column({ type: 'boolean', nullable: true })
  asAdmin!: boolean | null;
}
