import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The second factor of a user; a row exists exactly while `users.two_factor_enabled` is set. */
@Entity('user_two_factors')
export class UserTwoFactor {
  @PrimaryColumn({ type: 'bigint' })
  userId!: number;

  /** Secret shared with the authenticator, sealed by the SecretBox. */
  @Column({ type: 'text' })
  sealedSecret!: string;

  /** The latest time step of a used code: neither it nor an earlier one is accepted again. */
  @Column({ type: 'bigint' })
  lastStep!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
