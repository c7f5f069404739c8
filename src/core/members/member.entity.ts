import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { Role } from '#kernel/access/roles.js';

/** Types of objects that have members. */
export type MemberSource = 'Project' | 'Namespace';

/** Membership of a user in a group or project, named by (type, id). */
@Entity('members')
export class Member extends BaseEntity {
  @Column({ type: 'text' })
  sourceType!: MemberSource;

  @Column({ type: 'bigint' })
  sourceId!: number;

  @Column({ type: 'bigint' })
  userId!: number;

  @Column({ type: 'smallint' })
  accessLevel!: Role;

  @Column({ type: 'bigint', nullable: true })
  createdById!: number | null;

  /** Day at whose start the membership ends. */
  @Column({ type: 'date', nullable: true })
  expiresAt!: string | null;
}
