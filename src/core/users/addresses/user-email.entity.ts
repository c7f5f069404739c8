import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A further e-mail address of a user: only one user can have confirmed it, others may claim it. */
@Entity('user_emails')
export class UserEmail extends BaseEntity {
  @Column({ type: 'bigint' })
  userId!: number;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'timestamptz', nullable: true })
  confirmedAt!: Date | null;
}
