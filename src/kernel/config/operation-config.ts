import { IsBoolean, IsIn, IsNumber, IsOptional, Matches, Max, Min, MinLength } from 'class-validator';
import { Flag, Numeric, ReadableUrl, Whole } from './config-values.js';

/** The variables of whoever looks after a service: what it writes down of its work, and its backups. */
export class OperationConfig {
  /** Least severe level that is logged. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' = 'info';

  /** Seconds from which on a request is logged as slow, with its statements; 0: none. Streams and git are judged by their time in the database. */
  @Numeric()
  @IsNumber()
  @Min(0)
  @Max(3_600)
  SLOW_REQUEST_SECONDS = 5;

  /** Sends `Server-Timing` to everybody; administrators are always sent it. */
  @Flag()
  @IsBoolean()
  SERVER_TIMING = false;

  /** Collector that traces are sent to (OTLP over HTTP); unset: nothing is traced. The SDK reads the other `OTEL_*` variables. */
  @IsOptional()
  @ReadableUrl('must be an http:// or https:// URL')
  @Matches(/^https?:\/\//, { message: 'must be an http:// or https:// URL' })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Encrypts backups, and opens them; unset: they are not encrypted. */
  @IsOptional()
  @MinLength(12, { message: 'must have 12 characters or more' })
  BACKUP_PASSPHRASE?: string;

  /** Folder, or `s3://bucket/prefix?...`, that a worker makes backups in; unset: backups are made by the command line alone. */
  @IsOptional()
  @MinLength(1)
  BACKUP_TARGET?: string;

  /** Hours between two backups that workers make. */
  @Whole(1, 720)
  BACKUP_EVERY_HOURS = 24;

  /** Backups of workers that stay. */
  @Whole(1, 1_000)
  BACKUP_KEEP = 14;

  /** Backups copy the objects of a bucket too; false: they name the bucket, which has a backup of its own. */
  @Flag()
  @IsBoolean()
  BACKUP_COPIES_BUCKET = false;
}
