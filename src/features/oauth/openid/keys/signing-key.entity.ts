import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** The public half of an RSA key, as the JWKS shows it (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly e: string;
  readonly n: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
}

/** A key that id_tokens are signed with. The newest that is not retired signs. */
@Entity('oauth_signing_keys')
export class SigningKey extends BaseEntity {
  /** Thumbprint of the public key (RFC 7638). */
  @Column({ type: 'text' })
  kid!: string;

  @Column({ type: 'jsonb' })
  publicJwk!: PublicJwk;

  /** PKCS #8, sealed. */
  @Column({ type: 'text', select: false })
  sealedPrivateKey!: string;

  /** Since when it signs no more; it is served for some time yet, so that what it has signed can be verified. */
  @Column({ type: 'timestamptz', nullable: true })
  retiredAt!: Date | null;
}
