import { Column, Entity } from 'typeorm';
import type { Scope } from '#kernel/access/roles.js';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A client of the OAuth provider, which acts for users who authorize it. */
@Entity('oauth_applications')
export class OauthApplication extends BaseEntity {
  /** The `client_id`. */
  @Column({ type: 'text' })
  uid!: string;

  /** SHA-256 of the secret, which is shown once and never stored. */
  @Column({ type: 'bytea', select: false })
  secretDigest!: Buffer;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', array: true })
  redirectUris!: string[];

  /** Scopes that its tokens can have at most. */
  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** Whether it can keep a secret; other clients authenticate by PKCE. */
  @Column({ type: 'boolean', default: true })
  confidential!: boolean;

  /** Users are not asked for consent. */
  @Column({ type: 'boolean', default: false })
  trusted!: boolean;

  /** The user who created it; null for applications of the instance. */
  @Column({ type: 'bigint', nullable: true })
  ownerId!: number | null;

  /** Seconds in which a used refresh token may be used again. */
  @Column({ type: 'integer', default: 0 })
  refreshGracePeriodSeconds!: number;
}
