import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Tier, tierOf } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { isOpen, type FeatureGates } from '../feature-gates.js';
import { PLAN_LIMITS_DEFAULTS, type PlanLimits } from '../limits/plan-limits.js';
import { SETTINGS_DEFAULTS, type Plan, type SettingName, type SettingsValues } from './settings.js';

/** Settings, plan, limits and flags of one version. */
export interface SettingsSnapshot {
  readonly version: number;
  readonly plan: Plan;
  readonly values: SettingsValues;
  readonly limits: PlanLimits;
  readonly flags: ReadonlyMap<string, FeatureGates>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The former state of a change. */
export type FormerSettings = Pick<SettingsSnapshot, 'plan' | 'values' | 'limits'>;

interface StoredRow {
  license_plan: Plan;
  values: Partial<SettingsValues>;
  plan_limits: Partial<PlanLimits>;
}

interface Row extends StoredRow {
  version: number;
  flags: Record<string, FeatureGates> | null;
  created_at: Date;
  updated_at: Date;
}

const SELECT = `select version, license_plan, values, plan_limits, created_at, updated_at,
  (select jsonb_object_agg(name, gates) from feature_flags) as flags from application_settings where id = 1`;

/** Maximum age of the snapshot on routes that do not query the database for access. */
const MAX_AGE_MS = 1_000;

/**
 * Settings, plan and feature flags, cached in memory. Each request reads the version of the row together with
 * its access; a newer version reloads the snapshot, so that a change applies in all processes from the next
 * request.
 */
@Injectable()
export class SettingsService implements OnModuleInit {
  private snapshot: SettingsSnapshot | null = null;
  private loading: Promise<void> | null = null;
  private checkedAt = 0;

  constructor(private readonly database: ReadDatabase) {}

  async onModuleInit(): Promise<void> {
    await this.reload();
  }

  /** Settings in force. */
  get values(): SettingsValues {
    return this.current.values;
  }

  /** Limits in force. */
  get limits(): PlanLimits {
    return this.current.limits;
  }

  /** Tier of the plan in force. */
  get tier(): Tier {
    return tierOf(this.current.plan);
  }

  /** Snapshot in force, with plan, version and times. */
  get current(): SettingsSnapshot {
    if (!this.snapshot) throw new Error('Settings are read before they are loaded');
    return this.snapshot;
  }

  /**
   * Returns whether a flag is enabled for everyone or one of the actors (`flagActors` returns those of a
   * request).
   */
  isEnabled(flag: string, ...actors: readonly string[]): boolean {
    return isOpen(flag, this.current.flags.get(flag) ?? [], actors);
  }

  /**
   * Reloads if `version` differs from that in memory; returns a promise only then, because all requests call
   * this.
   */
  refresh(version: number): Promise<void> | undefined {
    this.checkedAt = performance.now();
    return this.snapshot?.version === version ? undefined : this.reload();
  }

  /**
   * For requests without database access: reloads if the snapshot was not checked for a second; returns a
   * promise only then.
   */
  keepFresh(): Promise<void> | undefined {
    return performance.now() - this.checkedAt > MAX_AGE_MS ? this.reload() : undefined;
  }

  /** Returns the settings after a reload: for jobs, whose processes do not get the version from requests. */
  async fresh(): Promise<SettingsValues> {
    await this.reload();
    return this.values;
  }

  /** Reads the row again; calls during a read share the result of the next one. */
  async reload(): Promise<void> {
    if (this.loading) await this.loading;
    this.loading ??= this.read().finally(() => (this.loading = null));
    await this.loading;
  }

  /** Locks the stored state for a change. */
  async lock(tx: Tx): Promise<FormerSettings> {
    const [row] = await tx.query<StoredRow[]>(
      'select license_plan, values, plan_limits from application_settings where id = 1 for update',
    );
    if (!row) throw new Error('The settings row is missing');
    return former(row);
  }

  /**
   * Stores changes and makes all processes reload; returns the former values. The caller reloads after its
   * commit.
   */
  async update(tx: Tx, changes: Partial<Record<SettingName, unknown>>, plan?: Plan): Promise<FormerSettings> {
    const replaced = await this.lock(tx);
    await tx.query(
      `update application_settings set values = values || $1::jsonb, license_plan = coalesce($2, license_plan),
       version = version + 1, updated_at = case
         when values || $1::jsonb = values and license_plan = coalesce($2, license_plan) then updated_at else now() end
       where id = 1`,
      [JSON.stringify(changes), plan ?? null],
    );
    return replaced;
  }

  /** Stores changes of limits. */
  async updateLimits(tx: Tx, changes: Partial<PlanLimits>): Promise<FormerSettings> {
    const replaced = await this.lock(tx);
    await tx.query(
      'update application_settings set plan_limits = plan_limits || $1::jsonb, version = version + 1 where id = 1',
      [JSON.stringify(changes)],
    );
    return replaced;
  }

  /** Makes all processes reload, after a change of a flag. */
  async bumpVersion(tx: Tx): Promise<void> {
    await tx.query('update application_settings set version = version + 1 where id = 1');
  }

  private async read(): Promise<void> {
    const row = await this.database.one<Row>(SELECT, []);
    if (!row) throw new Error('The settings row is missing');
    this.checkedAt = performance.now();
    this.snapshot = {
      version: row.version,
      ...former(row),
      flags: new Map(Object.entries(row.flags ?? {})),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  }
}

const former = (row: StoredRow): FormerSettings => ({
  plan: row.license_plan,
  values: {
    ...SETTINGS_DEFAULTS,
    ...row.values,
    // Without a name there is no first branch: repositories would stay empty.
    default_branch_name: row.values.default_branch_name || SETTINGS_DEFAULTS.default_branch_name,
  },
  limits: { ...PLAN_LIMITS_DEFAULTS, ...row.plan_limits },
});
