import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Keeps an environment of a project (by name), or those of one tier in all projects below a group, to some. */
@Entity('protected_environments')
export class ProtectedEnvironment extends BaseEntity {
  @Column({ type: 'bigint', nullable: true })
  projectId!: number | null;

  @Column({ type: 'bigint', nullable: true })
  groupId!: number | null;

  /** Of a group: a tier. */
  @Column({ type: 'text' })
  name!: string;

  /** Approvals of whoever may deploy; rules, where there are any, take its place. */
  @Column({ type: 'smallint', default: 0 })
  requiredApprovalCount!: number;
}

/** Somebody whom a protection names: a role and all above it, a user, or the members of a group. */
abstract class NamedEntry extends BaseEntity {
  @Column({ type: 'bigint' })
  protectedEnvironmentId!: number;

  @Column({ type: 'smallint', nullable: true })
  accessLevel!: number | null;

  @Column({ type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'bigint', nullable: true })
  groupId!: number | null;

  /** 0: direct members of the group; 1: those of groups above it as well. */
  @Column({ type: 'smallint', default: 0 })
  groupInheritanceType!: number;
}

/** Who may deploy. */
@Entity('protected_environment_access_levels')
export class DeployAccessLevel extends NamedEntry {}

/** Who has to approve before. */
@Entity('protected_environment_approval_rules')
export class ApprovalRule extends NamedEntry {
  @Column({ type: 'smallint', default: 1 })
  requiredApprovals!: number;
}
