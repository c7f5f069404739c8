import { Anything, Count, Flag, Id, IsoDate, IsoTime, OneOf } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { isoTime } from '#kernel/http/times.js';
import type { SettingsSnapshot } from '#core/instance/settings/settings.service.js';
import type { LicenseDetails } from './license.entity.js';
import { Licensee, LICENSE_PLANS } from './license-text.js';

/** A license. The plan of an instance without licenses is presented without id and end. */
export class LicenseRecord {
  @Id({ nullable: true })
  id!: number | null;

  @OneOf(['free', ...LICENSE_PLANS])
  plan!: string;

  @IsoTime()
  created_at!: string;

  @IsoDate()
  starts_at!: string;

  @IsoDate({ nullable: true, description: 'First day on which it is no longer valid' })
  expires_at!: string | null;

  @Count({ description: 'Maximum number of active users so far' })
  historical_max!: number;

  @Count()
  maximum_user_count!: number;

  @Count({ description: 'Users above the limit' })
  overage!: number;

  @Count({ description: '0 for none' })
  user_limit!: number;

  @Count()
  active_users!: number;

  @Flag()
  expired!: boolean;

  @Nested(() => Licensee)
  licensee!: Licensee;

  @Anything()
  add_ons!: object;
}

/** Row of a stored license. */
export interface LicenseRow {
  readonly id: number;
  readonly plan: string;
  readonly data: LicenseDetails;
  readonly starts_at: string;
  readonly expires_at: string | null;
  readonly expired: boolean;
  readonly created_at: Date;
}

/** Presents a stored license. */
export function presentLicense(row: LicenseRow, activeUsers: number): LicenseRecord {
  const { licensee, user_limit: limit, historical_max: counted } = row.data;
  const most = Math.max(counted, activeUsers);
  return {
    id: row.id,
    plan: row.plan,
    created_at: isoTime(row.created_at),
    starts_at: row.starts_at,
    expires_at: row.expires_at,
    historical_max: most,
    maximum_user_count: most,
    overage: limit === 0 ? 0 : Math.max(0, most - limit),
    user_limit: limit,
    active_users: activeUsers,
    expired: row.expired,
    licensee,
    add_ons: {},
  };
}

/** Presents the plan in force without licenses. */
export function presentPlan({ plan, createdAt }: SettingsSnapshot, activeUsers: number): LicenseRecord {
  const created = isoTime(createdAt);
  return {
    id: null,
    plan,
    created_at: created,
    starts_at: created.slice(0, 10),
    expires_at: null,
    historical_max: activeUsers,
    maximum_user_count: activeUsers,
    overage: 0,
    user_limit: 0,
    active_users: activeUsers,
    expired: false,
    licensee: { Name: '', Company: '', Email: '' },
    add_ons: {},
  };
}
