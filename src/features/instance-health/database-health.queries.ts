import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { redactText } from '#kernel/log/redaction.js';
import type {
  BackfillRecord,
  DatabaseHealthRecord,
  DatabaseReplicaRecord,
  ExpiringRecord,
  SlowStatementRecord,
} from './instance-health.record.js';

const CONNECTIONS = `select count(*)::int as connections, current_setting('max_connections')::int as max_connections
  from pg_stat_activity where backend_type = 'client backend'`;

const REPLICAS = `select application_name as name, state, extract(epoch from replay_lag)::float8 as lag_seconds
  from pg_stat_replication order by application_name limit 20`;

const HAS_STATEMENTS = `select to_regclass('pg_stat_statements') is not null as has`;

/** Excludes statements that are stored with their values, which may be secret. */
const SLOW = `select left(query, 500) as statement, calls::float8 as calls, mean_exec_time as mean_ms, total_exec_time as total_ms
  from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
    and query ~* '^\\s*(select|insert|update|delete|with)\\M' order by total_exec_time desc limit 10`;

const BACKFILLS = `select name, done, total, error, finished_at from backfills
  order by finished_at is not null, finished_at desc, name limit 50`;

const EXPIRING = `select kind, count(*)::int as count, to_char(min(expires_on), 'YYYY-MM-DD') as first_on from (
    select 'license' as kind, expires_at as expires_on from licenses where id = (select max(id) from licenses)
    union all select 'personal_access_token', expires_at from personal_access_tokens
      where not revoked and expires_at between current_date and current_date + 30
    union all select 'ssh_key', expires_at::date from ssh_keys where expires_at between now() and now() + interval '30 days'
  ) expiring where expires_on between current_date and current_date + 30 group by kind order by kind`;

interface StatementRow extends Omit<SlowStatementRecord, 'statement'> {
  readonly statement: string;
}

interface BackfillRow extends Omit<BackfillRecord, 'finished_at'> {
  readonly finished_at: Date | null;
}

/** Reads the state of PostgreSQL and of its data. */
@Injectable()
export class DatabaseHealthQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns connections in use, and replicas. */
  async state(): Promise<DatabaseHealthRecord | null> {
    const [[connections], replicas] = await Promise.all([
      this.database.long<Omit<DatabaseHealthRecord, 'replicas'>>(CONNECTIONS, []),
      this.database.long<DatabaseReplicaRecord>(REPLICAS, []),
    ]);
    return connections ? { ...connections, replicas } : null;
  }

  /** Returns the statements with the highest total time; null if PostgreSQL does not count it. */
  async slowStatements(): Promise<readonly SlowStatementRecord[] | null> {
    const [found] = await this.database.long<{ has: boolean }>(HAS_STATEMENTS, []);
    if (!found?.has) return null;
    const rows = await this.database.long<StatementRow>(SLOW, []);
    return rows.map((row) => ({ ...row, statement: redactText(row.statement) }));
  }

  /** Returns back-fills, unfinished ones first. */
  async backfills(): Promise<readonly BackfillRecord[]> {
    const rows = await this.database.long<BackfillRow>(BACKFILLS, []);
    return rows.map((row) => ({ ...row, finished_at: row.finished_at?.toISOString() ?? null }));
  }

  /** Returns what expires within 30 days, by kind. */
  expiring(): Promise<readonly ExpiringRecord[]> {
    return this.database.long<ExpiringRecord>(EXPIRING, []);
  }
}
