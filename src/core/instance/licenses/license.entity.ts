import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { LicensePlan, Licensee } from './license-text.js';

/** Facts of a license besides its plan and dates. */
export interface LicenseDetails {
  readonly licensee: Licensee;
  /** 0 for none. */
  readonly user_limit: number;
  /** Highest number of active users ever counted under it. */
  readonly historical_max: number;
}

/** A license that an administrator has added. */
@Entity('licenses')
export class License extends BaseEntity {
  @Column({ type: 'text' })
  plan!: LicensePlan;

  @Column({ type: 'jsonb' })
  data!: LicenseDetails;

  @Column({ type: 'date' })
  startsAt!: string;

  /** First day on which it is no longer valid; null for never. */
  @Column({ type: 'date', nullable: true })
  expiresAt!: string | null;
}
