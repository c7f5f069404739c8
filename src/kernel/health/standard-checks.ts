import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { HealthChecks } from './health-checks.js';

/** Probing the store writes to it, so it is not done for every probe. */
const STORAGE_CACHE_MS = 5000;

/** The dependencies that every process has: database, schema, object storage. */
@Injectable()
export class StandardChecks implements OnModuleInit {
  private isMigrated = false;

  constructor(
    private readonly checks: HealthChecks,
    private readonly dataSource: DataSource,
    private readonly storage: ObjectStorage,
  ) {}

  onModuleInit(): void {
    this.checks.register('database', () => this.dataSource.query('select 1 as ok').then(() => undefined));
    this.checks.register('migrations', () => this.checkMigrations());
    this.checks.register('object_storage', () => this.storage.checkWritable(), STORAGE_CACHE_MS);
  }

  /** A schema that is ahead is fine (a newer version has been started); one that is behind is not. */
  private async checkMigrations(): Promise<void> {
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
