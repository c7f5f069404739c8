import { Column, Entity } from 'typeorm';
import type { Scope } from '#kernel/access/roles.js';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** An access token with its optional refresh token. Valid until it is refreshed or revoked. */
@Entity('oauth_tokens')
export class OauthToken extends BaseEntity {
  /** Null for a token from the password grant without a client. */
  @Column({ type: 'bigint', nullable: true })
  applicationId!: number | null;

  @Column({ type: 'bigint' })
  userId!: number;

  /** The code it was exchanged for; the code itself may be pruned. */
  @Column({ type: 'bigint', nullable: true })
  grantId!: number | null;

  /** The first token in the chain of refreshes; null for a first one. */
  @Column({ type: 'bigint', nullable: true })
  familyId!: number | null;

  /** SHA-256 of the access token. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  @Column({ type: 'bytea', nullable: true, select: false })
  refreshDigest!: Buffer | null;

  /** Scopes of the access token. */
  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /**
   * Scopes that the refresh token may request, if more: a refresh may narrow one access token without
   * narrowing later ones.
   */
  @Column({ type: 'text', array: true, nullable: true })
  refreshScopes!: Scope[] | null;

  @Column({ type: 'text', nullable: true })
  nonce!: string | null;

  /** When the user last authenticated. */
  @Column({ type: 'timestamptz' })
  authTime!: Date;

  /** Lifetime in seconds; inherited by successors. */
  @Column({ type: 'integer' })
  expiresIn!: number;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** When its refresh token was first used. */
  @Column({ type: 'timestamptz', nullable: true })
  refreshedAt!: Date | null;

  /** When that was committed: a later request reuses the refresh token. */
  @Column({ type: 'timestamptz', nullable: true })
  settledAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
