import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A code that replaces the authenticator once. */
@Entity('two_factor_recovery_codes')
export class RecoveryCode extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  /** SHA-256 of the code. */
  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
