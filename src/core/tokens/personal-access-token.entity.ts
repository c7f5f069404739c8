import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { Scope } from '#kernel/access/roles.js';

/** A token that acts as its user: a personal one, one that an administrator made for them, or the token of a bot. */
@Entity('personal_access_tokens')
export class PersonalAccessToken extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** SHA-256 of the secret, which is shown once and stored nowhere. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** Made by an administrator to act as the user, who neither sees nor revokes it. */
  @Column({ type: 'boolean', default: false })
  impersonation!: boolean;

  @Column({ type: 'boolean', default: false })
  revoked!: boolean;

  /** From the start (UTC) of this day on the token is expired. */
  @Column({ type: 'date', nullable: true })
  expiresAt!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  /** Id of the first token of the rotations that led to this one; null for a first token. */
  @Column({ type: 'bigint', nullable: true })
  familyId!: number | null;

  /** When its rotation was committed: who arrives after that rotates it again. */
  @Column({ type: 'timestamptz', nullable: true })
  settledAt!: Date | null;
}
