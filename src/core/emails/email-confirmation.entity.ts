import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A link that was mailed to an address: who opens it reads mail there. It proves nothing of any other address. */
@Entity('email_confirmations')
export class EmailConfirmation extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  /** As it was spelled when the link was made. */
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
