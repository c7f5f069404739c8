import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A key with which applications of a project report errors. Browsers load it, so it is not secret. */
@Entity('error_tracking_client_keys')
export class ErrorTrackingClientKey extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'text' })
  publicKey!: string;

  @Column({ type: 'boolean', default: true })
  active!: boolean;
}
