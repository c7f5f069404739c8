import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A browser that has signed in. */
@Entity('sessions')
export class Session extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  /** SHA-256 of the secret in the cookie. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  /** SHA-256 of the token without which the session only reads. */
  @Column({ type: 'bytea', select: false })
  csrfDigest!: Buffer;

  @Column({ type: 'text', nullable: true })
  remoteIp!: string | null;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** Whether the browser keeps it when it is closed. */
  @Column({ type: 'boolean', default: false })
  remembered!: boolean;

  /** When its user last proved who they are. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  authenticatedAt!: Date;
}
