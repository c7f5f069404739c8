import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/**
 * Protects an environment of a project (by name), or the environments of a tier in all projects below a
 * group.
 */
@Entity('protected_environments')
export class ProtectedEnvironment extends BaseEntity {
  @Column({ type: 'bigint', nullable: true })
  projectId!: number | null;

  @Column({ type: 'bigint', nullable: true })
  groupId!: number | null;

  /** For a group, a tier. */
  @Column({ type: 'text' })
  name!: string;

  /** Number of approvals by users who may deploy; approval rules, if any, replace it. */
  @Column({ type: 'smallint', default: 0 })
  requiredApprovalCount!: number;
}

/** A holder in a protection: a role and all above it, a user, or the members of a group. */
abstract class NamedEntry extends BaseEntity {
  @Column({ type: 'bigint' })
  protectedEnvironmentId!: number;

  @Column({ type: 'smallint', nullable: true })
  accessLevel!: number | null;

  @Column({ type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'bigint', nullable: true })
  groupId!: number | null;

  /** 0: direct members of the group; 1: also those of groups above it. */
  @Column({ type: 'smallint', default: 0 })
  groupInheritanceType!: number;
}

/** An entry of those who may deploy. */
@Entity('protected_environment_access_levels')
export class DeployAccessLevel extends NamedEntry {}

/** An entry of those who must approve first. */
@Entity('protected_environment_approval_rules')
export class ApprovalRule extends NamedEntry {
  @Column({ type: 'smallint', default: 1 })
  requiredApprovals!: number;
}
