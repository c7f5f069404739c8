import type pg from 'pg';
import '#kernel/database/reads/pg-types.js';
import {
  OWNER_TABLES,
  relativePath,
  describeRepository,
  type OwnerType,
  type RepositoryKind,
  type RepositoryRef,
} from '#core/repositories/repository-ref.js';

/** A repository as recorded in the database. */
export interface ExpectedRepository {
  readonly id: number;
  readonly label: string;
  readonly ref: RepositoryRef;
  readonly path: string;
  /** Null if the repository was created before identities were recorded. */
  readonly identity: string | null;
  /** Whether anything was ever written to it, if known. */
  readonly isWritten: boolean;
  /** Null if the owner no longer exists. */
  readonly storage: string | null;
}

interface Row {
  readonly id: number;
  readonly owner_type: OwnerType;
  readonly owner_id: number;
  readonly kind: RepositoryKind;
  readonly identity: string | null;
  readonly is_written: boolean;
  readonly storage: string | null;
}

const BATCH = 2_000;

const OWNERS = Object.entries(OWNER_TABLES)
  .map(([type, table]) => `left join ${table} on r.owner_type = '${type}' and ${table}.id = r.owner_id`)
  .join(' ');

const STORAGE = `coalesce(${Object.values(OWNER_TABLES)
  .map((table) => `${table}.repository_storage`)
  .join(', ')})`;

const ROWS = `select r.id, r.owner_type, r.owner_id, r.kind, r.identity,
  r.identity is not null or r.pushed_at is not null or r.size_bytes > 0 as is_written, ${STORAGE} as storage from repositories r ${OWNERS}`;

/** Counts the repositories in the database. */
export async function countRepositories(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from repositories');
  return rows[0]?.count ?? 0;
}

/** The present state of a repository. Undefined if it no longer exists. */
export async function findRepository(client: pg.Client, id: number): Promise<ExpectedRepository | undefined> {
  const { rows } = await client.query<Row>(`${ROWS} where r.id = $1`, [id]);
  return rows.map(expected)[0];
}

/** Returns the newest repositories, newest first. */
export async function newestRepositories(client: pg.Client, limit: number): Promise<ExpectedRepository[]> {
  const { rows } = await client.query<Row>(`${ROWS} order by r.id desc limit $1`, [limit]);
  return rows.map(expected);
}

/** Reads all repositories, oldest first. */
export async function* expectedRepositories(client: pg.Client): AsyncGenerator<ExpectedRepository> {
  for (let last = 0; ;) {
    const { rows } = await client.query<Row>(`${ROWS} where r.id > $1 order by r.id limit ${BATCH}`, [last]);
    yield* rows.map(expected);
    const next = rows.at(-1);
    if (!next || rows.length < BATCH) return;
    last = next.id;
  }
}

function expected({ id, owner_type: ownerType, owner_id: ownerId, kind, ...row }: Row): ExpectedRepository {
  const ref = { ownerType, ownerId, kind };
  const { storage, identity, is_written: isWritten } = row;
  return { id, label: describeRepository(ref), ref, storage, identity, isWritten, path: relativePath(ref) };
}
