import { Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { ReplicaReads } from '#kernel/database/replica/replica-reads.js';
import { tooNewSchema } from '#kernel/database/schema/releases.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { QueuePool } from '#kernel/queue/outbox/queue-pool.js';
import { HealthChecks } from './health-checks.js';

/** Checking the store writes to it, so it is not done for every probe. */
const STORAGE_CACHE_MS = 5000;
/** Schemas seldom change. */
const SCHEMA_CACHE_MS = 5000;
/** Time in which the connections of requests fail if they cannot be had; after that they are merely in use. */
const BUSY_AFTER_MS = 300;

/** The dependencies of every process: database and its replica, schema, object storage. */
@Injectable()
export class StandardChecks implements OnModuleInit {
  private isMigrated = false;

  constructor(
    private readonly checks: HealthChecks,
    private readonly dataSource: DataSource,
    private readonly storage: ObjectStorage,
    private readonly pool: QueuePool,
    @Optional() private readonly replica?: ReplicaReads,
  ) {}

  onModuleInit(): void {
    this.checks.register('database', () => this.checkDatabase(), 'all');
    this.checks.register('migrations', () => this.checkMigrations(), 'all', SCHEMA_CACHE_MS);
    const { checks, replica } = this;
    if (replica?.isConfigured) checks.register('replica', () => replica.check(), 'none');
    this.checks.register('object_storage', () => this.storage.checkWritable(), 'some', STORAGE_CACHE_MS);
  }

  /**
   * A process whose connections are all in use is busy, not unready: without it, the others would be busier.
   * So PostgreSQL is also asked on a connection for which no request waits.
   */
  private async checkDatabase(): Promise<void> {
    const alive = this.pool.query(undefined, 'select 1', []).then(() => setTimeout(BUSY_AFTER_MS));
    await Promise.race([this.dataSource.query('select 1 as ok'), alive]);
  }

  /** A newer schema is fine while its release runs alongside this one; an older one is not. */
  private async checkMigrations(): Promise<void> {
    const newer = await tooNewSchema((text, values = []) => this.pool.query(undefined, text, [...values]));
    if (newer !== null) throw new Error(newer);
    if (this.isMigrated) return;
    const table = this.dataSource.options.migrationsTableName ?? 'migrations';
    const rows = await this.pool.query<{ name: string }>(undefined, `select name from "${table}"`, []);
    const done = new Set(rows.map(({ name }) => name));
    const pending = this.dataSource.migrations
      .map((migration) => migration.name ?? migration.constructor.name)
      .filter((name) => !done.has(name));
    if (pending.length > 0) throw new Error(`${pending.length} pending, first ${String(pending[0])}`);
    this.isMigrated = true;
  }
}
