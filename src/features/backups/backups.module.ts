import { Module } from '@nestjs/common';
import { BackupMetricsService } from './backup-metrics.service.js';

/** Scheduled backups and their metrics; the command line also makes and restores backups. */
@Module({ providers: [BackupMetricsService] })
export class BackupsModule {}
