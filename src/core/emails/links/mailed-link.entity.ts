import { Column } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** What the tables of mailed links have in common. */
export abstract class MailedLink extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  /** Where the link was sent, as it was spelled then: it proves nothing of any other address. */
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
