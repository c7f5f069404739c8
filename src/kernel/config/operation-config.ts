import { IsBoolean, IsIn, IsNumber, IsOptional, Matches, Max, Min, MinLength } from 'class-validator';
import { Agrees, Flag, isBackupTarget, Numeric, ReadableUrl, Whole } from './config-values.js';

/** Variables for operators: logs, traces and backups. */
export class OperationConfig {
  /** Lowest severity that is logged. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' = 'info';

  /**
   * Seconds after which a request is logged as slow, with its statements; 0: never. For streams and git, only
   * their time in the database counts.
   */
  @Numeric()
  @IsNumber()
  @Min(0)
  @Max(3_600)
  SLOW_REQUEST_SECONDS = 5;

  /** Sends `Server-Timing` to all callers; administrators always get it. */
  @Flag()
  @IsBoolean()
  SERVER_TIMING = false;

  /** Collector for traces (OTLP over HTTP); unset: no tracing. The SDK reads other `OTEL_*` variables. */
  @IsOptional()
  @ReadableUrl('must be an http:// or https:// URL')
  @Matches(/^https?:\/\//, { message: 'must be an http:// or https:// URL' })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Passphrase that encrypts and decrypts backups; unset: backups are not encrypted. */
  @IsOptional()
  @MinLength(12, { message: 'must have 12 characters or more' })
  BACKUP_PASSPHRASE?: string;

  /**
   * Folder or `s3://bucket/prefix?...` for backups of workers; unset: only the command line makes backups.
   */
  @IsOptional()
  @Agrees<OperationConfig>(
    (target) => isBackupTarget(target ?? ''),
    'must be a folder, or s3://bucket/prefix',
  )
  BACKUP_TARGET?: string;

  /** Hours between backups of the workers. */
  @Whole(1, 720)
  BACKUP_EVERY_HOURS = 24;

  /** Number of backups of the workers to keep. */
  @Whole(1, 1_000)
  BACKUP_KEEP = 14;

  /** Includes the objects of a bucket in backups; false: back up the bucket separately. */
  @Flag()
  @IsBoolean()
  BACKUP_COPIES_BUCKET = false;
}
