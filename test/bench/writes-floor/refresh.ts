import { randomBytes } from 'node:crypto';
import { digestToken, isTokenOf } from '#kernel/crypto/tokens.js';
import { ask, statement, type Database } from './database.js';
import { require, type Answer, type Sent } from './http.js';

interface Known {
  readonly secret_digest: Buffer;
  readonly confidential: boolean;
  readonly grace: number | null;
  readonly client_id: number | null;
  readonly token_id: number | null;
  readonly application_id: number;
  readonly scopes: string[];
  readonly is_spent: boolean;
  readonly is_active: boolean;
}

const FIND = statement<Known>(
  'refresh token',
  `select a.id as client_id, a.secret_digest, a.confidential, a.refresh_grace_period_seconds as grace, t.id as token_id, t.application_id,
     coalesce(t.refresh_scopes, t.scopes) as scopes,
     t.revoked_at is not null or coalesce(t.refreshed_at <= clock_timestamp() - make_interval(secs => coalesce(a.refresh_grace_period_seconds, 0)), false) as is_spent,
     u.state = 'active' and not u.pending_delete and u.user_type <> 'ghost'
       and not (u.user_type = 'human' and coalesce(u.password_expires_at <= now(), false)) as is_active
   from (values (1)) one left join oauth_applications a on a.uid = $1 left join oauth_tokens t on t.refresh_digest = $2 left join users u on u.id = t.user_id`,
);
const EXCHANGE = statement<{ scopes: string[]; expires_in: number; created_at: Date }>(
  'exchange',
  `with old as (update oauth_tokens set refreshed_at = coalesce(refreshed_at, date_trunc('milliseconds', clock_timestamp())),
       updated_at = date_trunc('milliseconds', clock_timestamp())
     where id = $1 and revoked_at is null and (refreshed_at is null or refreshed_at > clock_timestamp() - make_interval(secs => $2::int)) returning *)
   insert into oauth_tokens (application_id, user_id, grant_id, family_id, digest, refresh_digest, scopes, refresh_scopes, auth_time, expires_in, expires_at)
   select application_id, user_id, grant_id, coalesce(family_id, id), $3, $4, scopes, refresh_scopes, auth_time, expires_in, now() + make_interval(secs => expires_in)
   from old returning scopes, expires_in, created_at`,
);
/** After the response was sent: a token that is used again before that is not a replay. */
const SETTLE = statement(
  'settle',
  `with hurry as materialized (select set_config('synchronous_commit', 'off', true))
   update oauth_tokens set settled_at = $2 from hurry where id = $1 and settled_at is null`,
);

/** Exchanges a refresh token; one statement is its transaction. */
export async function refresh(database: Database, sent: Sent): Promise<Answer> {
  const form = new URLSearchParams(sent.text);
  sent.told.params = Object.fromEntries(form);
  const token = form.get('refresh_token') ?? '';
  require(form.get('grant_type') === 'refresh_token' && !form.has('scope') && token !== '', 501, 'Not part of the reference');
  const [[known]] = await database.run(ask(FIND, form.get('client_id'), digestToken(token)));
  require(known !== undefined && known.client_id !== null, 401, 'invalid_client');
  require(!known.confidential || isTokenOf(known.secret_digest, form.get('client_secret') ?? ''), 401, 'invalid_client');
  const isGood = known.token_id !== null && known.application_id === known.client_id && !known.is_spent && known.is_active;
  require(isGood, 400, 'invalid_grant');
  const [accessToken, refreshToken] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const values = [known.token_id, known.grace ?? 0, digestToken(accessToken), digestToken(refreshToken)];
  const [[made]] = await database.run(ask(EXCHANGE, ...values));
  require(made !== undefined, 400, 'invalid_grant');
  return {
    status: 200,
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    body: {
      ...{ access_token: accessToken, token_type: 'bearer', expires_in: made.expires_in, refresh_token: refreshToken },
      ...{ scope: made.scopes.join(' '), created_at: Math.floor(made.created_at.getTime() / 1_000) },
    },
    sent: () => void database.run(ask(SETTLE, known.token_id, new Date())),
  };
}
