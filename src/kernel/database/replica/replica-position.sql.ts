/** Tells databases apart: replicas of a server share its system identifier and the ids of its databases. */
const IDENTITY = `(select system_identifier::text from pg_control_system()) || '/' || (select oid from pg_database where datname = current_database())`;

const bytes = (lsn: string): string => `pg_wal_lsn_diff(${lsn}, '0/0')::float8`;

/** Which database a connection leads to, and whether its server follows another one. */
export const IDENTITY_SQL = `select ${IDENTITY} as identity, pg_is_in_recovery() as "isStandby"`;

/** Where the primary is: everything committed before lies before this position. */
export const PRIMARY_POSITION_SQL = `select ${IDENTITY} as identity, ${bytes('pg_current_wal_insert_lsn()')} as position,
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline,
  current_setting('wal_block_size')::int as "pageBytes"`;

/** How far a replica has replayed the log. Its timeline is that of its last restart point. */
export const REPLICA_POSITION_SQL = `select ${IDENTITY} as identity, pg_is_in_recovery() as "isStandby",
  (select timeline_id from pg_control_checkpoint()) as timeline, ${bytes('pg_last_wal_replay_lsn()')} as position`;

/** Row of IDENTITY_SQL. */
export interface ServerIdentity {
  readonly identity: string;
  readonly isStandby: boolean;
}

/** Row of PRIMARY_POSITION_SQL. */
export interface PrimaryPosition {
  readonly identity: string;
  readonly position: number;
  readonly timeline: number;
  readonly pageBytes: number;
}

/** Row of REPLICA_POSITION_SQL. */
export interface ReplicaPosition extends ServerIdentity {
  readonly timeline: number;
  /** Null before anything was replayed. */
  readonly position: number | null;
}

/** Why a server is not a replica to read from; null if it is one. */
export function mismatchOf(
  replica: ServerIdentity & { readonly timeline?: number },
  primary: { readonly identity: string; readonly timeline?: number },
): string | null {
  if (replica.identity !== primary.identity) return 'it has another database than the primary';
  if (!replica.isStandby) return 'it follows no primary: it can be written to';
  if (replica.timeline === primary.timeline) return null;
  return `it has not come to the timeline of the primary, ${String(primary.timeline)}, but to ${String(replica.timeline)}`;
}
