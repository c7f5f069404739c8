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
import { OperationConfig } from './operation-config.js';
import { Agrees, Fits, Flag, lines, Networks, Numeric, ReadableUrl, Whole } from './config-values.js';

/** `name@host` or `Some Name <name@host>`: one sender, in one line. */
const MAIL_FROM = /^(?=\P{Cc}+$)([^<>"@,;:]+ <[^\s<>@,;:"]+@[^\s<>@,;:"]+>|[^\s<>@,;:"]+@[^\s<>@,;:"]+)$/u;

/** Every environment variable that the service knows, validated once at start and frozen; nobody else reads process.env. */
export class Config extends OperationConfig {
  /** Which parts this process runs: everything, the API alone or the workers alone. */
  @IsIn(['all', 'api', 'worker'])
  PROCESS: 'all' | 'api' | 'worker' = 'all';

  /**
   * Request processes on one port, beside one process for jobs; 1: one process does both (with PROCESS=api: requests alone). At most 8 with the
   * embedded database. Default: cores minus one, from 1 to 8; 1 where SUPERVISE=false or PROCESS is not `all`. Read by scripts/start.mjs.
   */
  @IsOptional()
  @Whole(1, 64)
  @Fits<Config>(
    (count, { DATABASE_URL }) => count <= 8 || DATABASE_URL !== undefined,
    'must be at most 8 with the embedded database',
  )
  API_PROCESSES?: number;

  /** `test` turns on the strict check of every answer against its record; `production` changes nothing. */
  @IsIn(['production', 'development', 'test'])
  NODE_ENV: 'production' | 'development' | 'test' = 'production';

  /** TCP port of the API; a worker answers health and metrics there. */
  @Whole(0, 65535)
  PORT = 3000;

  /** Address to listen on. */
  @IsString()
  HOST = '0.0.0.0';

  /** Base of every URL that the service hands out; default `http://localhost:PORT`. */
  @IsOptional()
  @Matches(/^https?:\/\/[^/?#]+(\/[^?#]*)?$/, { message: 'must be an http or https URL without query' })
  EXTERNAL_URL?: string;

  /** Folder of all local state: embedded database, repositories, artifacts, uploads, generated secrets key. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? resolve(value) : value))
  @IsString()
  DATA_DIR = resolve('data');

  /** PostgreSQL to use; unset: an embedded one is started (only with PROCESS=all). */
  @ValidateIf((config: Config) => config.DATABASE_URL !== undefined || config.PROCESS !== 'all')
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// URL (required unless PROCESS=all)' })
  DATABASE_URL?: string;

  /**
   * What stands between the service and PostgreSQL: `transaction` is PgBouncer with `pool_mode = transaction`, at DATABASE_URL; then
   * DATABASE_DIRECT_URL is needed too. Statements are planned anew each time.
   */
  @IsIn(['none', 'transaction'])
  @Agrees<Config>(
    (pooler, { DATABASE_URL }) => pooler !== 'transaction' || DATABASE_URL !== undefined,
    'must be none with the embedded database: transaction needs DATABASE_URL',
  )
  DATABASE_POOLER: 'none' | 'transaction' = 'none';

  /** The same database past the pooler, for what needs a session: news of jobs, migrations, backups, commands. Only with DATABASE_POOLER=transaction. */
  @ValidateIf(
    (config: Config) => config.DATABASE_DIRECT_URL !== undefined || config.DATABASE_POOLER !== 'none',
  )
  @Matches(/^postgres(ql)?:\/\//, {
    message: 'must be a postgres:// URL past the pooler (required with DATABASE_POOLER=transaction)',
  })
  @Agrees<Config>(
    (url, { DATABASE_POOLER }) => url === undefined || DATABASE_POOLER === 'transaction',
    'must not be set unless DATABASE_POOLER=transaction',
  )
  @Agrees<Config>(
    (url, { DATABASE_URL }) => url !== DATABASE_URL,
    'must lead past the pooler: it is DATABASE_URL',
  )
  DATABASE_DIRECT_URL?: string;

  /** Brings the schema up to date at each start; false: a start refuses a schema that is older, and a job migrates (`npm run cli -- migrate`). */
  @Flag()
  @IsBoolean()
  MIGRATE_ON_START = true;

  /** Connections of the writing pool of one process; up to half as many again are opened while statements wait for locks. */
  @Whole(2, 200)
  DATABASE_POOL = 8;

  /** Connections of one process for reads that may take longer: searches, counts, deep pages. */
  @Whole(1, 100)
  DATABASE_READ_POOL = 4;

  /** Connections of one process for the book-keeping of jobs. */
  @Whole(1, 20)
  DATABASE_QUEUE_POOL = 3;

  /** Redis for Bull queues and shared rate limits; unset: the embedded queue runner, across processes, and limits of each machine. */
  @IsOptional()
  @ReadableUrl('must be a redis:// URL, like redis://127.0.0.1:6379')
  @Matches(/^rediss?:\/\/[^/?#]+(\/\d*)?(\?.*)?$/, {
    message: 'must be a redis:// URL, like redis://127.0.0.1:6379',
  })
  REDIS_URL?: string;

  /** Named folders for repositories: `name=path,name=path`; default `default=DATA_DIR/repositories/default`. */
  @IsOptional()
  @Matches(/^[a-z0-9_-]+=[^,=]+(,[a-z0-9_-]+=[^,=]+)*$/i, { message: 'must read name=path,name=path' })
  REPOSITORY_STORAGES?: string;

  /** `file:///path` or `s3://bucket/prefix?endpoint=...&region=...&forcePathStyle=true`; default a folder under DATA_DIR. */
  @IsOptional()
  @ReadableUrl('must be a file:/// or s3:// URL')
  @Matches(/^(file:\/\/\/|s3:\/\/[^/]+)/, { message: 'must be a file:/// or s3:// URL' })
  OBJECT_STORE_URL?: string;

  /** Access key of the object store; unset: the user-info of OBJECT_STORE_URL, then the AWS SDK's usual sources. */
  @IsOptional()
  @IsString()
  OBJECT_STORE_ACCESS_KEY_ID?: string;

  /** Secret key of the object store; set together with the access key. */
  @IsOptional()
  @IsString()
  OBJECT_STORE_SECRET_ACCESS_KEY?: string;

  /** Lets clients fetch artifacts and packages from S3 itself, by addresses that are signed for a minute. */
  @Flag()
  @IsBoolean()
  OBJECT_STORE_DIRECT_DOWNLOAD = false;

  /** Header by which a trusted proxy in front of the service is told to send a file by itself; nginx knows `X-Accel-Redirect`. */
  @IsOptional()
  @IsIn(['X-Accel-Redirect'])
  SENDFILE_HEADER?: 'X-Accel-Redirect';

  /** Megabytes of temporary files for packs that several clients fetch at a time; 0: each has git make its own. */
  @Whole(0, 1_000_000)
  PACK_CACHE_MB = 1_024;

  /** Password of the administrator `root` at first start; unset: generated and printed once. */
  @IsOptional()
  @MinLength(8, { message: 'must have 8 characters or more' })
  INITIAL_ROOT_PASSWORD?: string;

  /** Personal access token of `root` with every scope at first start. */
  @IsOptional()
  @MinLength(20, { message: 'must have 20 characters or more' })
  INITIAL_ROOT_TOKEN?: string;

  /**
   * KiB of memory that a hash of a password takes; those of before are renewed at the next sign-in. Less than 19456 only where NODE_ENV=test, for
   * tests that make thousands.
   */
  @Numeric()
  @IsInt()
  @Fits<Config>(
    (kib, { NODE_ENV }) => kib >= (NODE_ENV === 'test' ? 1_024 : 19_456),
    'must not be less than 19456',
  )
  @Max(65_536)
  PASSWORD_MEMORY_KIB = 19_456;

  /** Plan at first start; the setting `license_plan` changes it at run time. */
  @IsIn(['free', 'premium', 'ultimate'])
  LICENSE_PLAN: 'free' | 'premium' | 'ultimate' = 'ultimate';

  /** Key that encrypts secrets at rest; generated into DATA_DIR when unset and PROCESS=all. */
  @ValidateIf((config: Config) => config.SECRETS_KEY !== undefined || config.PROCESS !== 'all')
  @IsString({ message: 'must be set unless PROCESS=all' })
  @MinLength(32, { message: 'must have 32 characters or more' })
  SECRETS_KEY?: string;

  /** Lets outbound requests reach loopback and private addresses. */
  @Flag()
  @IsBoolean()
  ALLOW_LOCAL_REQUESTS = false;

  /** Single outbound destinations that are always allowed: `host:port,host:port`. */
  @Transform(({ value }) => lines(value))
  @Matches(/^[^\s:]+:\d+$/, { each: true, message: 'must read host:port,host:port' })
  OUTBOUND_ALLOWLIST: string[] = [];

  /**
   * Mail server, `smtps://user:password@host:465` or `smtp://host:587?requireTLS=true`; unset: mails are written as .eml
   * files to DATA_DIR/mail of the process that runs the job.
   */
  @IsOptional()
  @Matches(/^smtps?:\/\/[^\s/?#]+(\/?\?\S*|\/)?$/, { message: 'must be an smtp:// or smtps:// URL' })
  SMTP_URL?: string;

  /** Sender of mails: `name@host`, or `Some Name <name@host>`. */
  @Matches(MAIL_FROM, { message: 'must be an address, or a name and an <address>' })
  MAIL_FROM = 'forgeplane@localhost';

  /** Begin of the names of our own headers in mails; filters of people who know v4 look for the default. */
  @Matches(/^X-[A-Za-z][A-Za-z0-9]{0,30}-$/, { message: 'must be like X-Forge-' })
  MAIL_HEADER_PREFIX = 'X-GitLab-';

  /** Addresses or CIDR ranges whose X-Forwarded-* headers are believed. */
  @Transform(({ value }) => lines(value))
  @Networks()
  TRUSTED_PROXIES: string[] = [];

  /** Addresses or CIDR ranges that may read health details and metrics. */
  @Transform(({ value }) => lines(value))
  @Networks()
  METRICS_ALLOWLIST: string[] = ['127.0.0.0/8', '::1/128'];

  /** Serves the interactive API page at /-/docs. */
  @Flag()
  @IsBoolean()
  DOCS_ENABLED = true;

  /** Milliseconds after which a running request is answered with 503. */
  @Whole(1000, 600000)
  REQUEST_TIMEOUT_MS = 60000;

  /** Requests that one process serves at a time; more are answered with 503 and Retry-After. */
  @Whole(1, 100000)
  MAX_CONCURRENT_REQUESTS = 1000;

  /** Whether `npm start` starts the service again when it ends unexpectedly; read by scripts/start.mjs, before there is a service. */
  @Flag()
  @IsBoolean()
  SUPERVISE = true;

  /** Seconds for which a start waits for PostgreSQL, Redis and S3. */
  @Whole(0, 3600)
  START_TIMEOUT_SECONDS = 60;

  /** Seconds for which a process that is told to stop serves on, not ready any more; default 5 for `api`, else 0. */
  @IsOptional()
  @Whole(0, 600)
  DRAIN_SECONDS?: number;

  /** Seconds after that in which what still runs may end. */
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

  /** Seconds between being told to stop and closing the listener. Only before an `api` process there is a balancer to be told of it. */
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
