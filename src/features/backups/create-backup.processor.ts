import { Injectable, Logger } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { CreateBackupJob } from './create-backup.job.js';
import { makeBackup } from './make-backup.js';

/** Tolerance of half an hour, because the schedule ticks once an hour. One from the future is of a clock that was ahead. */
const IS_FRESH = `select exists (select from backup_runs where started_at > now() - $1 * interval '1 hour' + interval '30 minutes'
  and started_at < now() + interval '30 minutes') as fresh`;

/** Makes scheduled backups. */
@Injectable()
export class CreateBackupProcessor extends JobProcessor {
  readonly job = CreateBackupJob;
  private readonly logger = new Logger('Backups');

  constructor(
    private readonly config: Config,
    private readonly database: ReadDatabase,
    private readonly address: DatabaseAddress,
  ) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    const { BACKUP_TARGET: target, BACKUP_EVERY_HOURS: hours, BACKUP_KEEP: keep } = this.config;
    if (target === undefined) return;
    const { fresh } = await this.database.always<{ fresh: boolean }>(IS_FRESH, [hours]);
    if (fresh) return;
    const { manifest, warnings } = await makeBackup({
      config: this.config,
      databaseUrl: this.address.direct,
      target,
      keep,
      isFull: false,
      isNewTarget: false,
      onPhase: () => signal.throwIfAborted(),
      onStep: () => signal.throwIfAborted(),
    });
    for (const warning of warnings) this.logger.warn(`Backup ${manifest.name}: ${warning}`);
    for (const finding of manifest.findings) this.logger.warn(`Not in backup ${manifest.name}: ${finding}`);
    this.logger.log(`Backup ${manifest.name} is made`);
  }
}
