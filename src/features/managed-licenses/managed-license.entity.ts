import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { ApprovalStatus } from './managed-license.record.js';

/** Whether a project accepts software under a license. */
@Entity('managed_licenses')
export class ManagedLicense extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  approvalStatus!: ApprovalStatus;
}
