import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Public part of an RSA key, as in the JWKS (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly e: string;
  readonly n: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
}

/** A signing key of id_tokens. The newest that is not retired signs. */
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

  /**
   * When it stopped signing; it is published for some time after that, so that its signatures can be
   * verified.
   */
  @Column({ type: 'timestamptz', nullable: true })
  retiredAt!: Date | null;
}
