import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** What a protection is for. */
export type RefType = 'branch' | 'tag';

/** What somebody may do with the refs that a protection matches. */
export type ProtectedAction = 'push' | 'merge' | 'unprotect' | 'create';

/** A branch or tag of a project, or a wildcard for several, with which only some may do something. */
@Entity('protected_refs')
export class ProtectedRef extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'text' })
  refType!: RefType;

  /** A name, or a pattern with `*` for any characters. */
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'boolean', default: false })
  allowForcePush!: boolean;

  @Column({ type: 'boolean', default: false })
  codeOwnerApprovalRequired!: boolean;
}

/** Who may do something with the refs of a protection: a role and all above it, a user, or the members of a group. */
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
