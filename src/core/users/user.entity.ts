import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { UserIdentity, UserState, UserStatus, UserType } from './user-values.js';

/**
 * An account: of a person, of the bot of a project or group token, or the ghost that inherits contributions.
 */
@Entity('users')
export class User extends BaseEntity {
  @Column({ type: 'text' })
  username!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text', default: 'active' })
  state!: UserState;

  @Column({ type: 'text', default: 'human' })
  userType!: UserType;

  @Column({ type: 'boolean', default: false })
  admin!: boolean;

  @Column({ type: 'boolean', default: false })
  external!: boolean;

  @Column({ type: 'text', nullable: true, select: false })
  passwordDigest!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  passwordChangedAt!: Date | null;

  /** From this time on the user must change the password. */
  @Column({ type: 'timestamptz', nullable: true })
  passwordExpiresAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  confirmedAt!: Date | null;

  @Column({ type: 'text', default: '' })
  publicEmail!: string;

  @Column({ type: 'text', nullable: true })
  commitEmail!: string | null;

  @Column({ type: 'text', default: '' })
  bio!: string;

  @Column({ type: 'text', default: '' })
  location!: string;

  @Column({ type: 'text', default: '' })
  skype!: string;

  @Column({ type: 'text', default: '' })
  linkedin!: string;

  @Column({ type: 'text', default: '' })
  twitter!: string;

  @Column({ type: 'text', default: '' })
  discord!: string;

  @Column({ type: 'text', default: '' })
  websiteUrl!: string;

  @Column({ type: 'text', default: '' })
  organization!: string;

  @Column({ type: 'text', default: '' })
  jobTitle!: string;

  @Column({ type: 'text', nullable: true })
  pronouns!: string | null;

  /** Visible only to administrators. */
  @Column({ type: 'text', nullable: true })
  note!: string | null;

  @Column({ type: 'boolean', default: false })
  privateProfile!: boolean;

  @Column({ type: 'integer', default: 1 })
  themeId!: number;

  @Column({ type: 'integer', default: 1 })
  colorSchemeId!: number;

  @Column({ type: 'integer', default: 100_000 })
  projectsLimit!: number;

  @Column({ type: 'boolean', default: true })
  canCreateGroup!: boolean;

  @Column({ type: 'boolean', default: false })
  twoFactorEnabled!: boolean;

  /** When the required second factor was first found missing; the grace period starts here. */
  @Column({ type: 'timestamptz', nullable: true })
  twoFactorGraceStartedAt!: Date | null;

  @Column({ type: 'jsonb', default: [] })
  identities!: readonly UserIdentity[];

  @Column({ type: 'jsonb', nullable: true })
  status!: UserStatus | null;

  @Column({ type: 'bigint', nullable: true })
  createdById!: number | null;

  /** Owner of a bot. */
  @Column({ type: 'text', nullable: true })
  botSourceType!: 'Project' | 'Namespace' | null;

  @Column({ type: 'bigint', nullable: true })
  botSourceId!: number | null;

  @Column({ type: 'integer', default: 0 })
  failedAttempts!: number;

  @Column({ type: 'timestamptz', nullable: true })
  lockedAt!: Date | null;

  @Column({ type: 'integer', default: 0 })
  signInCount!: number;

  @Column({ type: 'timestamptz', nullable: true })
  currentSignInAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastSignInAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  currentSignInIp!: string | null;

  @Column({ type: 'text', nullable: true })
  lastSignInIp!: string | null;

  @Column({ type: 'date', nullable: true })
  lastActivityOn!: string | null;

  /** A job is about to remove the user, who is hidden from all routes. */
  @Column({ type: 'boolean', default: false })
  pendingDelete!: boolean;
}
