import { Column, Entity } from 'typeorm';
import type { Scope } from '#kernel/access/roles.js';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A client of the OAuth provider: a program that acts for the users who let it. */
@Entity('oauth_applications')
export class OauthApplication extends BaseEntity {
  /** What clients send as `client_id`. */
  @Column({ type: 'text' })
  uid!: string;

  /** SHA-256 of the secret, which is shown once and stored nowhere. */
  @Column({ type: 'bytea', select: false })
  secretDigest!: Buffer;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', array: true })
  redirectUris!: string[];

  /** All that its tokens may ever reach. */
  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** Whether it can keep a secret; one that cannot proves itself by PKCE. */
  @Column({ type: 'boolean', default: true })
  confidential!: boolean;

  /** Users are not asked for their consent. */
  @Column({ type: 'boolean', default: false })
  trusted!: boolean;

  /** The user who registered it; null for applications of the instance. */
  @Column({ type: 'bigint', nullable: true })
  ownerId!: number | null;

  /** Seconds in which a refresh token that was used once may be used again. */
  @Column({ type: 'integer', default: 0 })
  refreshGracePeriodSeconds!: number;
}
