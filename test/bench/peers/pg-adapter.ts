import type { Adapter, AdapterPayload } from 'oidc-provider';
import type pg from 'pg';

/** The table for everything that `oidc-provider` stores, and its accounts. */
export const SCHEMA = `
  create table oidc_models (
    kind text not null, id text not null, grant_id text, payload jsonb not null,
    expires_at timestamptz, consumed_at timestamptz, primary key (kind, id)
  );
  create index oidc_models_grant on oidc_models (grant_id) where grant_id is not null;
  create index oidc_models_expires_at on oidc_models (expires_at);
  create table accounts (id bigint primary key, name text not null, state text not null);
  insert into accounts select i, 'Bench ' || i, 'active' from generate_series(100, 299) i;`;

const UPSERT = `insert into oidc_models (kind, id, grant_id, payload, expires_at)
  values ($1, $2, $3, $4, now() + make_interval(secs => $5))
  on conflict (kind, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`;
const FIND = `select payload, consumed_at from oidc_models where kind = $1 and id = $2 and (expires_at is null or expires_at > now())`;
const CONSUME = 'update oidc_models set consumed_at = now() where kind = $1 and id = $2';

/**
 * Storage as a careful user of the library writes it for PostgreSQL: one table, prepared statements, JSON.
 */
export class PgAdapter implements Adapter {
  constructor(
    private readonly pool: pg.Pool,
    private readonly kind: string,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const values = [this.kind, id, payload.grantId ?? null, payload, expiresIn ?? null];
    await this.pool.query({ name: 'upsert', text: UPSERT, values });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await this.pool.query<{ payload: AdapterPayload; consumed_at: Date | null }>({ name: 'find', text: FIND, values: [this.kind, id] });
    const [row] = rows;
    return row && { ...row.payload, ...(row.consumed_at ? { consumed: true } : {}) };
  }

  async consume(id: string): Promise<void> {
    await this.pool.query({ name: 'consume', text: CONSUME, values: [this.kind, id] });
  }

  async destroy(id: string): Promise<void> {
    await this.pool.query('delete from oidc_models where kind = $1 and id = $2', [this.kind, id]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.pool.query('delete from oidc_models where kind = $1 and grant_id = $2', [this.kind, grantId]);
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
