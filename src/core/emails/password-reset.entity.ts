import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A mailed link that lets its reader choose a new password, once. */
@Entity('password_resets')
export class PasswordReset extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  /** Where the link was sent: it is worth nothing once the user has given up that address. */
  @Column({ type: 'text' })
  address!: string;

  /** SHA-256 of the token in the link. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
