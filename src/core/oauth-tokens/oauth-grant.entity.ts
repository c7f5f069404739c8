import { Column, Entity } from 'typeorm';
import type { Scope } from '#kernel/access/roles.js';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** An authorization code, valid for one exchange. */
@Entity('oauth_grants')
export class OauthGrant extends BaseEntity {
  @Column({ type: 'bigint' })
  applicationId!: number;

  @Column({ type: 'bigint' })
  userId!: number;

  /** SHA-256 of the code. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  /** As in the authorization request: the exchange must send the same. */
  @Column({ type: 'text' })
  redirectUri!: string;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** S256 challenge (RFC 7636); null if the client sent none. */
  @Column({ type: 'text', nullable: true })
  codeChallenge!: string | null;

  /** Echoed in the id_token. */
  @Column({ type: 'text', nullable: true })
  nonce!: string | null;

  /** When the user last authenticated. */
  @Column({ type: 'timestamptz' })
  authTime!: Date;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;

  /** When its use was committed: a later request is a reuse. */
  @Column({ type: 'timestamptz', nullable: true })
  settledAt!: Date | null;
}
