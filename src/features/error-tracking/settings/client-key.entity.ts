import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** What applications of a project report their errors with. It is part of what browsers load, so it is no secret. */
@Entity('error_tracking_client_keys')
export class ErrorTrackingClientKey extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'text' })
  publicKey!: string;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
