import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { UTC_TODAY } from '#kernel/database/time.sql.js';
import { notFound } from '#kernel/http/errors.js';
import type { TokenFields } from './personal-access-token.record.js';
import type { ListTokensParams } from './tokens.params.js';

/** Select list of a `TokenFields`; the alias of the table is `t`. */
export const TOKEN_COLUMNS = `t.id, t.name, t.revoked, t.created_at as "createdAt", t.scopes, t.user_id as "userId",
  t.last_used_at as "lastUsedAt", t.expires_at as "expiresAt", t.impersonation`;

const LIST: ListShape = {
  kind: 'PersonalAccessToken',
  select: TOKEN_COLUMNS,
  from: 'personal_access_tokens t',
  key: 't.id',
};

const ACTIVE = `not t.revoked and (t.expires_at is null or t.expires_at > ${UTC_TODAY})`;

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  created: 't.created_at',
  expires: 't.expires_at',
  last_used: 't.last_used_at',
  name: 't.name',
};

/** Row of a token, with facts that decide who may see it. */
export interface TokenRow extends TokenFields {
  readonly impersonation: boolean;
}

/** Filters tokens by state; `all` or no state keeps all. */
export function inState<Row extends object>(
  query: ListQuery<Row>,
  state: 'all' | 'active' | 'inactive' | undefined,
): ListQuery<Row> {
  if (state === 'active') query.where(ACTIVE);
  if (state === 'inactive') query.where(`not (${ACTIVE})`);
  return query;
}

/** Reads tokens. */
@Injectable()
export class TokensQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists personal tokens of one user or of all, without impersonation tokens. */
  list(userId: number | null, filters: ListTokensParams): ListQuery<TokenRow> {
    const query = new ListQuery<TokenRow>(LIST).where('not t.impersonation');
    if (userId !== null) query.of('t.user_id', userId);
    const limits = [
      ['t.created_at >=', filters.created_after],
      ['t.created_at <=', filters.created_before],
      ['t.last_used_at >=', filters.last_used_after],
      ['t.last_used_at <=', filters.last_used_before],
      ['t.expires_at >=', filters.expires_after],
      ['t.expires_at <=', filters.expires_before],
      ['t.revoked =', filters.revoked],
    ] as const;
    for (const [condition, value] of limits) if (value !== undefined) query.where(`${condition} ?`, value);
    if (filters.search) query.where(`strpos(lower(t.name), lower(?)) > 0`, filters.search).long();
    inState(query, filters.state);
    return sorted(query, filters.sort);
  }

  /** Lists the impersonation tokens of a user. */
  impersonation(userId: number, state: 'all' | 'active' | 'inactive'): ListQuery<TokenRow> {
    return inState(new ListQuery<TokenRow>(LIST).of('t.user_id', userId).where('t.impersonation'), state);
  }

  /** Returns a token by id, or null. */
  findOrNull(id: number): Promise<TokenRow | null> {
    return this.database.one<TokenRow>(
      `select ${TOKEN_COLUMNS} from personal_access_tokens t where t.id = $1`,
      [id],
    );
  }

  /** Asserts that a user exists. @throws 404 */
  async assertUser(userId: number): Promise<void> {
    const text = 'select 1 from users where id = $1 and not pending_delete';
    if (!(await this.database.one(text, [userId]))) throw notFound('User');
  }
}

function sorted(query: ListQuery<TokenRow>, sort: ListTokensParams['sort']): ListQuery<TokenRow> {
  if (sort === undefined) return query;
  const [, name = '', direction = 'asc'] = /^(?:(.*)_)?(asc|desc)$/.exec(sort) ?? [];
  return query.orderBy(SORT_COLUMNS[name] ?? 't.id', direction as 'asc' | 'desc');
}
