import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { registerGauge } from '#kernel/log/gauges.js';

interface LastRun {
  readonly finished: number;
  readonly bytes: number;
}

const LAST = `select extract(epoch from finished_at)::float8 as finished, bytes::float8 as bytes from backup_runs
  order by finished_at desc limit 1`;

/** Exports the time and size of the last backup as metrics, 0 if there is none, and the time between scheduled ones. */
@Injectable()
export class BackupMetricsService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    const last = (): Promise<LastRun | null> => this.database.one<LastRun>(LAST, []);
    registerGauge(
      'backup_last_finished_timestamp_seconds',
      'End of the last backup, 0 for none',
      async () => (await last())?.finished ?? 0,
      'max',
    );
    registerGauge(
      'backup_last_size_bytes',
      'Bytes that the last backup needs, files of earlier ones included',
      async () => (await last())?.bytes ?? 0,
      'max',
    );
    const { BACKUP_TARGET: target, BACKUP_EVERY_HOURS: hours } = this.config;
    registerGauge(
      'backup_interval_seconds',
      'Time between scheduled backups, 0 without BACKUP_TARGET',
      () => (target === undefined ? 0 : hours * 3_600),
      'max',
    );
  }
}
