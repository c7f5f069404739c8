import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** When a project must not be deployed: from a match of one cron expression to the next match of another. */
@Entity('freeze_periods')
export class FreezePeriod extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'text' })
  freezeStart!: string;

  @Column({ type: 'text' })
  freezeEnd!: string;

  /** A time zone name of IANA or Rails. */
  @Column({ type: 'text' })
  cronTimezone!: string;
}
