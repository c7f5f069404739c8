import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Type of protected refs. */
export type RefType = 'branch' | 'tag';

/** Names of protections in errors and audit events. */
export const PROTECTION_TITLES = { branch: 'Protected Branch', tag: 'Protected Tag' } as const;

/** Action that an access level permits. */
export type ProtectedAction = 'push' | 'merge' | 'unprotect' | 'create';

/** A protected branch or tag of a project, or a wildcard for several. */
@Entity('protected_refs')
export class ProtectedRef extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'text' })
  refType!: RefType;

  /** A name, or a pattern in which `*` matches any characters. */
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'boolean', default: false })
  allowForcePush!: boolean;

  @Column({ type: 'boolean', default: false })
  codeOwnerApprovalRequired!: boolean;
}

/** An access level of a protection: a role and all above it, a user, or the members of a group. */
@Entity('protected_ref_access_levels')
export class ProtectedRefAccessLevel extends BaseEntity {
  @Column({ type: 'bigint' })
  protectedRefId!: number;

  @Column({ type: 'text' })
  kind!: ProtectedAction;

  @Column({ type: 'smallint', nullable: true })
  accessLevel!: number | null;

  @Column({ type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'bigint', nullable: true })
  groupId!: number | null;
}
