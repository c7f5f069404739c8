import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A secondary email address of a user: several users may add an address, but only one can confirm it. */
@Entity('user_emails')
export class UserEmail extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'timestamptz', nullable: true })
  confirmedAt!: Date | null;
}
