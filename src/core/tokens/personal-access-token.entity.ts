import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { Scope } from '#kernel/access/roles.js';

/** A token that acts as its user: a personal one, one created by an administrator, or the token of a bot. */
@Entity('personal_access_tokens')
export class PersonalAccessToken extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** SHA-256 of the secret, which is shown once and never stored. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** Created by an administrator to act as the user, who can neither see nor revoke it. */
  @Column({ type: 'boolean', default: false })
  impersonation!: boolean;

  @Column({ type: 'boolean', default: false })
  revoked!: boolean;

  /** The token expires at the start (UTC) of this day. */
  @Column({ type: 'date', nullable: true })
  expiresAt!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  /** Id of the first token in the chain of rotations; null for a first token. */
  @Column({ type: 'bigint', nullable: true })
  familyId!: number | null;

  /** When its rotation was committed: a later request is a reuse. */
  @Column({ type: 'timestamptz', nullable: true })
  settledAt!: Date | null;
}
