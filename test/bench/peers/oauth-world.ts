import { hash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { digestToken } from '#kernel/crypto/tokens.js';

/** The client of both sides. */
export const CLIENT = 'peer-client';
export const SECRET = 'peer-client-secret-of-32-characters';
export const REDIRECT_URI = 'https://client.example/cb';
/** Challenges of codes (S256). */
export const VERIFIER = 'a'.repeat(43);
export const CHALLENGE = hash('sha256', VERIFIER, 'base64url');

/** Prepared secrets, each of its own authorization. */
export interface Seed {
  readonly kind: 'access' | 'refresh' | 'code';
  readonly scope: string;
}

/** The users and the application of the product's side. */
export async function createClient(client: pg.Client): Promise<void> {
  await client.query(
    `insert into users (id, username, name, email, confirmed_at)
     select i, 'peer' || i, 'Peer ' || i, 'peer' || i || '@example.com', now() from generate_series(100, 299) i`,
  );
  await client.query(
    `insert into oauth_applications (uid, secret_digest, name, redirect_uris, scopes, confidential)
     values ($1, $2, 'peer', array[$3], '{api,openid}', true)`,
    [CLIENT, digestToken(SECRET), REDIRECT_URI],
  );
}

/** Secrets as the product has them. */
export async function seedProduct(client: pg.Client, { kind, scope }: Seed, count: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  const digests = secrets.map(digestToken);
  const scopes = scope.split(' ');
  const codes = `insert into oauth_grants (application_id, user_id, digest, redirect_uri, scopes, code_challenge, expires_at, used_at, settled_at)
    select a.id, 100 + n % 200, digest, $2, $3, $4, now() + interval '10 minutes', case when $5 then now() end, case when $5 then now() end
    from unnest($1::bytea[]) with ordinality d(digest, n), oauth_applications a where a.uid = $6 returning id, user_id, application_id`;
  const isCode = kind === 'code';
  const values = [isCode ? digests : secrets.map((secret) => digestToken(`code ${secret}`)), REDIRECT_URI, scopes, CHALLENGE, !isCode, CLIENT];
  const { rows } = await client.query<{ id: number; user_id: number; application_id: number }>(codes, values);
  if (!isCode) {
    await client.query(
      `insert into oauth_tokens (application_id, user_id, grant_id, digest, refresh_digest, scopes, expires_in, expires_at, auth_time, last_used_at)
       select $1, u, g, d, r, $6, 7200, now() + interval '2 hours', now(), now()
       from unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[]) t(u, g, d, r)`,
      [
        rows[0]?.application_id,
        rows.map((row) => row.user_id),
        rows.map((row) => row.id),
        ...(kind === 'access' ? [digests, secrets.map((secret) => digestToken(`other ${secret}`))] : [secrets.map((secret) => digestToken(`other ${secret}`)), digests]),
        scopes,
      ],
    );
  }
  return secrets;
}
