import { Column, Entity } from 'typeorm';
import type { Scope } from '#kernel/access/roles.js';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** An access token with its refresh token, if it has one. It is alive while neither refreshed nor revoked. */
@Entity('oauth_tokens')
export class OauthToken extends BaseEntity {
  /** Null for a token that was given for a password, without a client. */
  @Column({ type: 'bigint', nullable: true })
  applicationId!: number | null;

  @Column({ type: 'bigint' })
  userId!: number;

  /** The code that it descends from; the code itself may be pruned. */
  @Column({ type: 'bigint', nullable: true })
  grantId!: number | null;

  /** The first token of the refreshes that led to this one; null for a first one. */
  @Column({ type: 'bigint', nullable: true })
  familyId!: number | null;

  /** SHA-256 of the access token. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  @Column({ type: 'bytea', nullable: true, select: false })
  refreshDigest!: Buffer | null;

  /** What the access token reaches. */
  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** What the refresh token may ask for, where that is more: a refresh may narrow one access token, not those after it. */
  @Column({ type: 'text', array: true, nullable: true })
  refreshScopes!: Scope[] | null;

  @Column({ type: 'text', nullable: true })
  nonce!: string | null;

  /** When the user proved who they are. */
  @Column({ type: 'timestamptz' })
  authTime!: Date;

  /** Life in seconds; successors have the same. */
  @Column({ type: 'integer' })
  expiresIn!: number;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** When its refresh token was first exchanged for a successor. */
  @Column({ type: 'timestamptz', nullable: true })
  refreshedAt!: Date | null;

  /** When that was committed: who arrives after it uses the refresh token again. */
  @Column({ type: 'timestamptz', nullable: true })
  settledAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
