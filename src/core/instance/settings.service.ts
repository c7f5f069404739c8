import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Tier, tierOf } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { NotFound } from '#kernel/http/errors.js';
import type { Tx } from '#kernel/database/transactions.js';
import { SETTINGS_DEFAULTS, type SettingName, type SettingsValues } from './settings.js';

/** One gate of a feature flag: what turns it on, and for whom. */
export interface FeatureGate {
  readonly key: 'boolean' | 'percentage_of_time' | 'percentage_of_actors' | 'actors' | 'groups';
  readonly value: boolean | number | readonly string[];
}

interface Snapshot {
  readonly version: number;
  readonly plan: 'free' | 'premium' | 'ultimate';
  readonly values: SettingsValues;
  readonly flags: ReadonlyMap<string, readonly FeatureGate[]>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface Row {
  version: number;
  license_plan: Snapshot['plan'];
  values: Partial<SettingsValues>;
  flags: Record<string, readonly FeatureGate[]> | null;
  created_at: Date;
  updated_at: Date;
}

const SELECT = `select version, license_plan, values, created_at, updated_at,
  (select jsonb_object_agg(name, gates) from feature_flags) as flags from application_settings where id = 1`;

/**
 * Settings, plan and feature flags, kept in memory. Every request learns the version of the row together with its access; a
 * newer one reloads the snapshot, so that a change holds in every process from the next request on.
 */
@Injectable()
export class Settings implements OnModuleInit {
  private snapshot: Snapshot | null = null;
  private loading: Promise<void> | null = null;

  constructor(private readonly database: ReadDatabase) {}

  async onModuleInit(): Promise<void> {
    await this.reload();
  }

  /** Values in force. */
  get values(): SettingsValues {
    return this.current.values;
  }

  /** Tier of the plan in force. */
  get tier(): Tier {
    return tierOf(this.current.plan);
  }

  /** Plan, version and times beside the values. */
  get current(): Snapshot {
    if (!this.snapshot) throw new Error('Settings are read before they are loaded');
    return this.snapshot;
  }

  /** Whether a flag is on for everybody; gates for single actors are asked with `actor`, such as `Project:1`. */
  isEnabled(flag: string, actor?: string): boolean {
    return (this.current.flags.get(flag) ?? []).some(({ key, value }) => {
      if (key === 'boolean') return value === true;
      if (key === 'percentage_of_time') return Math.random() * 100 < Number(value);
      if (key === 'percentage_of_actors') return actor !== undefined && bucketOf(flag, actor) < Number(value);
      return actor !== undefined && Array.isArray(value) && value.includes(actor);
    });
  }

  /** Reloads when `version` is not the one in memory. */
  async refresh(version: number): Promise<void> {
    if (this.snapshot?.version === version) return;
    await this.reload();
  }

  /** Reads the row anew; those who ask while it is read share the answer of the next reading. */
  async reload(): Promise<void> {
    if (this.loading) await this.loading;
    this.loading ??= this.read().finally(() => (this.loading = null));
    await this.loading;
  }

  /** Stores changes and makes every process reload; returns the former values. The caller reloads after its commit. */
  async update(
    tx: Tx,
    changes: Partial<Record<SettingName, unknown>>,
    plan?: Snapshot['plan'],
  ): Promise<SettingsValues> {
    const [former] = await tx.query<{ values: Partial<SettingsValues> }[]>(
      'select values from application_settings where id = 1 for update',
    );
    await tx.query(
      `update application_settings set values = values || $1::jsonb, license_plan = coalesce($2, license_plan),
       version = version + 1, updated_at = now() where id = 1`,
      [JSON.stringify(changes), plan ?? null],
    );
    return { ...SETTINGS_DEFAULTS, ...former?.values };
  }

  /** Makes every process reload, after a change of a flag or a licence. */
  async bumpVersion(tx: Tx): Promise<void> {
    await tx.query('update application_settings set version = version + 1 where id = 1');
  }

  private async read(): Promise<void> {
    const row = await this.database.one<Row>(SELECT, []);
    if (!row) throw NotFound('Settings');
    this.snapshot = {
      version: row.version,
      plan: row.license_plan,
      values: { ...SETTINGS_DEFAULTS, ...row.values },
      flags: new Map(Object.entries(row.flags ?? {})),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  }
}

/** A number from 0 to 99 that stays the same for a flag and an actor. */
function bucketOf(flag: string, actor: string): number {
  let hash = 0;
  for (const char of `${flag}:${actor}`) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) | 0;
  return Math.abs(hash) % 100;
}
