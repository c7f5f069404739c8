import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { LicensePlan, Licensee } from './license-text.js';

/** What is kept of a licence beside its plan and its dates. */
export interface LicenseDetails {
  readonly licensee: Licensee;
  /** 0 for none. */
  readonly user_limit: number;
  /** Most active users that were ever counted under it. */
  readonly historical_max: number;
}

/** A licence that an administrator has added. */
@Entity('licenses')
export class License extends BaseEntity {
  @Column({ type: 'text' })
  plan!: LicensePlan;

  @Column({ type: 'jsonb' })
  data!: LicenseDetails;

  @Column({ type: 'date' })
  startsAt!: string;

  /** First day on which it does not hold any more; null for never. */
  @Column({ type: 'date', nullable: true })
  expiresAt!: string | null;
}
