import { Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ReplicaReads } from '#kernel/database/replica/replica-reads.js';
import { tooNewSchema } from '#kernel/database/schema/releases.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { HealthChecks } from './health-checks.js';

/** Checking the store writes to it, so it is not done for every probe. */
const STORAGE_CACHE_MS = 5000;
/** Schemas seldom change. */
const SCHEMA_CACHE_MS = 5000;

/** The dependencies of every process: database and its replica, schema, object storage. */
@Injectable()
export class StandardChecks implements OnModuleInit {
  private isMigrated = false;

  constructor(
    private readonly checks: HealthChecks,
    private readonly dataSource: DataSource,
    private readonly storage: ObjectStorage,
    @Optional() private readonly replica?: ReplicaReads,
  ) {}

  onModuleInit(): void {
    this.checks.register('database', () => this.dataSource.query('select 1 as ok').then(() => undefined));
    this.checks.register('migrations', () => this.checkMigrations(), SCHEMA_CACHE_MS);
    const { checks, replica } = this;
    if (replica?.isConfigured) checks.registerOptional('replica', () => replica.check());
    this.checks.register('object_storage', () => this.storage.checkWritable(), STORAGE_CACHE_MS);
  }

  /** A newer schema is fine while its release runs alongside this one; an older one is not. */
  private async checkMigrations(): Promise<void> {
    const newer = await tooNewSchema((text, values) => this.dataSource.query(text, values));
    if (newer !== null) throw new Error(newer);
    if (this.isMigrated) return;
    const table = this.dataSource.options.migrationsTableName ?? 'migrations';
    const rows = await this.dataSource.query<{ name: string }[]>(`select name from "${table}"`);
    const done = new Set(rows.map(({ name }) => name));
    const pending = this.dataSource.migrations
      .map((migration) => migration.name ?? migration.constructor.name)
      .filter((name) => !done.has(name));
    if (pending.length > 0) throw new Error(`${pending.length} pending, first ${String(pending[0])}`);
    this.isMigrated = true;
  }
}
