import { Column } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Columns that tables of mailed links share. */
export abstract class MailedLink extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  /** The address as spelled when the link was sent; it proves nothing about other addresses. */
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
