import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Permitted uses of a key. */
export const KEY_USAGES = ['auth', 'signing', 'auth_and_signing'] as const;

/** A user's public SSH key; the fingerprint is unique over all users. */
@Entity('ssh_keys')
export class SshKey extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  @Column({ type: 'text' })
  title!: string;

  /** One line: type, base64, comment. */
  @Column({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  fingerprintSha256!: string;

  @Column({ type: 'text', default: 'auth_and_signing' })
  usageType!: (typeof KEY_USAGES)[number];

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;
}
