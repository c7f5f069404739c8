import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A signed-in browser. */
@Entity('sessions')
export class Session extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  /** SHA-256 of the secret in the cookie. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  /** SHA-256 of the CSRF token, without which the session can only read. */
  @Column({ type: 'bytea', select: false })
  csrfDigest!: Buffer;

  @Column({ type: 'text', nullable: true })
  remoteIp!: string | null;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** Whether the browser keeps it after closing. */
  @Column({ type: 'boolean', default: false })
  remembered!: boolean;

  /** When its user last authenticated. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  authenticatedAt!: Date;
}
