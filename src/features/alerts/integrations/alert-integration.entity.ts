import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { IntegrationType } from './integration-values.js';

/** A source of alerts of a project. */
@Entity('alert_integrations')
export class AlertIntegration extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'text' })
  type!: IntegrationType;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'boolean' })
  active!: boolean;

  /** Part of the intake URL; never changes. */
  @Column({ type: 'text' })
  endpointIdentifier!: string;

  /** Compared with keys at the intake; null for external tools. */
  @Column({ type: 'bytea', nullable: true })
  keyDigest!: Buffer | null;

  /** The key, readable by Maintainers; for an external tool the key it was given, if any. */
  @Column({ type: 'text', nullable: true })
  keySealed!: string | null;

  /** Where the external tool receives alerts; null for all others. */
  @Column({ type: 'text', nullable: true })
  externalUrl!: string | null;

  @Column({ type: 'boolean' })
  createIncident!: boolean;

  @Column({ type: 'boolean' })
  autoCloseIncident!: boolean;

  @Column({ type: 'boolean' })
  sendEmail!: boolean;
}
