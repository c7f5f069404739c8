import 'reflect-metadata';
import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { resolve } from 'node:path';
import {
  Agrees,
  Fits,
  Flag,
  hasNamesOnce,
  hasUsableEndpoint,
  lines,
  Networks,
  Numeric,
  ReadableUrl,
  RedisAddress,
  Whole,
} from './config-values.js';
import { DatabaseConfig } from './database-config.js';

/** `name@host` or `Some Name <name@host>`: one sender, in one line. */
const MAIL_FROM = /^(?=\P{Cc}+$)([^<>"@,;:]+ <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u;

/** All environment variables of the service, validated and frozen at start; only here process.env is read. */
export class Config extends DatabaseConfig {
  /** Parts that this process runs: `all`, only the API, or only the workers. */
  @IsIn(['all', 'api', 'worker'])
  PROCESS: 'all' | 'api' | 'worker' = 'all';

  /**
   * Request processes on one port, in addition to one process for jobs; 1: a single process does both (with
   * PROCESS=api: only requests). At most 8 with the embedded database. Default: number of cores minus one,
   * between 1 and 8; 1 if SUPERVISE=false or PROCESS is not `all`. Read by scripts/start.mjs.
   */
  @IsOptional()
  @Whole(1, 64)
  @Fits<Config>(
    (count, { DATABASE_URL }) => count <= 8 || DATABASE_URL !== undefined,
    'must be at most 8 with the embedded database',
  )
  API_PROCESSES?: number;

  /** `test` checks every response strictly against its record; the other two do not differ. */
  @IsIn(['production', 'development', 'test'])
  NODE_ENV: 'production' | 'development' | 'test' = 'production';

  /** TCP port of the API; a worker serves health checks and metrics on it. */
  @Whole(0, 65535)
  PORT = 3000;

  /** Address to listen on. */
  @IsString()
  HOST = '0.0.0.0';

  /** Base of all URLs that the service sends; default `http://localhost:PORT`. */
  @IsOptional()
  @ReadableUrl('must be an http or https URL without query')
  @Matches(/^https?:\/\/[^/?#]+(\/[^?#]*)?$/, { message: 'must be an http or https URL without query' })
  EXTERNAL_URL?: string;

  /** Folder for local state: embedded database, repositories, artifacts, uploads, generated secrets key. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? resolve(value) : value))
  @IsString()
  DATA_DIR = resolve('data');

  /**
   * Redis for Bull queues and shared rate limits: `redis://:password@host:6379/0`, or through Sentinels
   * `redis+sentinel://:password@host:26379,host:26379/master/0`; `rediss` for TLS. Unset: the embedded queue, and rate
   * limits per machine.
   */
  @IsOptional()
  @RedisAddress()
  REDIS_URL?: string;

  /** Named folders for repositories: `name=path,name=path`; default `default=DATA_DIR/repositories/default`. */
  @IsOptional()
  @Matches(/^[a-z0-9_-]+=[^,=]+(,[a-z0-9_-]+=[^,=]+)*$/i, { message: 'must read name=path,name=path' })
  @Agrees<Config>(hasNamesOnce, 'must name each storage once')
  REPOSITORY_STORAGES?: string;

  /** `file:///path` or `s3://bucket/prefix?endpoint=...&region=...&forcePathStyle=true`; default a folder under DATA_DIR. */
  @IsOptional()
  @ReadableUrl('must be a file:/// or s3:// URL')
  @Matches(/^(file:\/\/\/|s3:\/\/[^/]+)/, { message: 'must be a file:/// or s3:// URL' })
  @Agrees<Config>(hasUsableEndpoint, 'must name its endpoint with http:// or https://')
  OBJECT_STORE_URL?: string;

  /** Access key of the object store; unset: user info of OBJECT_STORE_URL, else the AWS SDK's defaults. */
  @IsOptional()
  @IsString()
  OBJECT_STORE_ACCESS_KEY_ID?: string;

  /** Secret key of the object store; to be set together with the access key. */
  @IsOptional()
  @IsString()
  OBJECT_STORE_SECRET_ACCESS_KEY?: string;

  /** Lets clients download artifacts and packages directly from S3, by URLs signed for one minute. */
  @Flag()
  @IsBoolean()
  OBJECT_STORE_DIRECT_DOWNLOAD = false;

  /** Header that makes a trusted proxy send a file itself; nginx supports `X-Accel-Redirect`. */
  @IsOptional()
  @IsIn(['X-Accel-Redirect'])
  SENDFILE_HEADER?: 'X-Accel-Redirect';

  /** Megabytes of temporary files for packs that several clients fetch at the same time; 0: no sharing. */
  @Whole(0, 1_000_000)
  PACK_CACHE_MB = 1_024;

  /** Password of the administrator `root` at first start; unset: generated and printed once. */
  @IsOptional()
  @MinLength(8, { message: 'must have 8 characters or more' })
  INITIAL_ROOT_PASSWORD?: string;

  /** Personal access token of `root` with all scopes, created at first start. */
  @IsOptional()
  @MinLength(20, { message: 'must have 20 characters or more' })
  INITIAL_ROOT_TOKEN?: string;

  /**
   * KiB of memory per password hash; existing hashes are renewed at the next sign-in. Less than 19456 only
   * with NODE_ENV=test, for tests that create thousands.
   */
  @Numeric()
  @IsInt()
  @Fits<Config>(
    (kib, { NODE_ENV }) => kib >= (NODE_ENV === 'test' ? 1_024 : 19_456),
    'must not be less than 19456',
  )
  @Max(65_536)
  PASSWORD_MEMORY_KIB = 19_456;

  /** License plan at first start; the setting `license_plan` changes it at run time. */
  @IsIn(['free', 'premium', 'ultimate'])
  LICENSE_PLAN: 'free' | 'premium' | 'ultimate' = 'ultimate';

  /** Key that encrypts secrets at rest; unset: generated in DATA_DIR (only with PROCESS=all). */
  @ValidateIf((config: Config) => config.SECRETS_KEY !== undefined || config.PROCESS !== 'all')
  @IsString({ message: 'must be set unless PROCESS=all' })
  @MinLength(32, { message: 'must have 32 characters or more' })
  SECRETS_KEY?: string;

  /** Allows outbound requests to loopback and private addresses. */
  @Flag()
  @IsBoolean()
  ALLOW_LOCAL_REQUESTS = false;

  /** Outbound destinations that are always allowed: `host:port,host:port`. */
  @Transform(({ value }) => lines(value))
  @Matches(/^[^\s:]+:\d+$/, { each: true, message: 'must read host:port,host:port' })
  OUTBOUND_ALLOWLIST: string[] = [];

  /**
   * Mail server, `smtps://user:password@host:465` or `smtp://host:587?requireTLS=true`; unset: mails are
   * written as .eml files to DATA_DIR/mail by the process that runs the job.
   */
  @IsOptional()
  @ReadableUrl('must be an smtp:// or smtps:// URL')
  @Matches(/^smtps?:\/\/[^\s/?#]+(\/?\?\S*|\/)?$/, { message: 'must be an smtp:// or smtps:// URL' })
  SMTP_URL?: string;

  /** Sender of mails: `name@host`, or `Some Name <name@host>`. */
  @Matches(MAIL_FROM, { message: 'must be an address, or a name and an <address>' })
  MAIL_FROM = 'forgeplane@localhost';

  /** Prefix of the service's own headers in mails; mail filters written for v4 expect the default. */
  @Matches(/^X-[A-Za-z][A-Za-z0-9]{0,30}-$/, { message: 'must be like X-Forge-' })
  MAIL_HEADER_PREFIX = 'X-GitLab-';

  /** Addresses or CIDR ranges whose X-Forwarded-* headers are trusted. */
  @Transform(({ value }) => lines(value))
  @Networks()
  TRUSTED_PROXIES: string[] = [];

  /** Addresses or CIDR ranges that may read health details and metrics. */
  @Transform(({ value }) => lines(value))
  @Networks()
  METRICS_ALLOWLIST: string[] = ['127.0.0.0/8', '::1/128'];

  /** Serves the interactive API documentation at /-/docs. */
  @Flag()
  @IsBoolean()
  DOCS_ENABLED = true;

  /** Milliseconds after which a request that is still running is answered with 503. */
  @Whole(1000, 600000)
  REQUEST_TIMEOUT_MS = 60000;

  /** Concurrent requests of one process; further ones are answered with 503 and Retry-After. Three quarters of them may be of one client, and a quarter bodies that it has not sent completely. */
  @Whole(1, 100000)
  MAX_CONCURRENT_REQUESTS = 1000;

  /** Makes `npm start` restart the service if it exits unexpectedly. Read by scripts/start.mjs. */
  @Flag()
  @IsBoolean()
  SUPERVISE = true;

  /** Seconds that a start waits for PostgreSQL, Redis and S3. */
  @Whole(0, 3600)
  START_TIMEOUT_SECONDS = 60;

  /** Seconds that a stopping process still serves requests, no longer ready; default 5 for `api`, else 0. */
  @IsOptional()
  @Whole(0, 600)
  DRAIN_SECONDS?: number;

  /** Seconds after the drain for running requests and jobs to finish. */
  @Whole(5, 3600)
  STOP_TIMEOUT_SECONDS = 25;

  /** Base URL without trailing slash. */
  get externalUrl(): string {
    return (this.EXTERNAL_URL ?? `http://localhost:${this.PORT}`).replace(/\/+$/, '');
  }

  /** Repository storages by name, absolute paths. */
  get repositoryStorages(): ReadonlyMap<string, string> {
    const text = this.REPOSITORY_STORAGES ?? `default=${resolve(this.DATA_DIR, 'repositories/default')}`;
    return new Map(
      text
        .split(',')
        .map((pair) => [pair.slice(0, pair.indexOf('=')), resolve(pair.slice(pair.indexOf('=') + 1))]),
    );
  }

  /** Seconds from the stop signal to closing the listener; only `api` has a balancer that must notice. */
  get drainSeconds(): number {
    return this.DRAIN_SECONDS ?? (this.PROCESS === 'api' ? 5 : 0);
  }

  /** Whether this process answers API requests. */
  get servesApi(): boolean {
    return this.PROCESS !== 'worker';
  }

  /** Whether this process runs jobs. */
  get runsJobs(): boolean {
    return this.PROCESS !== 'api';
  }
}
