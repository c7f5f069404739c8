import type pg from 'pg';
import { SCOPES } from '#kernel/access/roles.js';
import type { Config } from '#kernel/config/config.js';
import { configurePasswords, hashPassword } from '#kernel/crypto/passwords.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';

/**
 * Arbitrary number of an advisory lock other than that of the migrations: serializes processes that start
 * together.
 */
const FIRST_DATA_LOCK = 746_274_002;

/**
 * Creates the settings row and the administrator `root` (id 1) with a namespace and, on request, a token with
 * all scopes; once only. Returns texts to print: a generated password is shown only now.
 */
export async function createFirstData(config: Config, url: string): Promise<readonly string[]> {
  return withClient({ connectionString: utcUrl(url) }, async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [FIRST_DATA_LOCK]);
    await client.query('insert into application_settings (license_plan) values ($1) on conflict do nothing', [
      config.LICENSE_PLAN,
    ]);
    const { rowCount } = await client.query('select 1 from users limit 1');
    const notes = rowCount === 0 ? await createRoot(client, config) : [];
    await client.query('commit');
    return notes;
  });
}

async function createRoot(client: pg.Client, config: Config): Promise<string[]> {
  configurePasswords(config.PASSWORD_MEMORY_KIB);
  const password = config.INITIAL_ROOT_PASSWORD ?? randomToken('', 24);
  await client.query(
    `insert into users (id, username, name, email, admin, password_digest, password_changed_at, confirmed_at)
     values (1, 'root', 'Administrator', 'admin@example.com', true, $1, now(), now())`,
    [await hashPassword(password)],
  );
  await client.query(`select setval(pg_get_serial_sequence('users', 'id'), 1)`);
  await client.query(
    `with created as (
       insert into namespaces (id, type, name, path, full_path, full_name, traversal_ids, owner_id, visibility)
       values (1, 'User', 'Administrator', 'root', 'root', 'Administrator', '{1}', 1, 'public') returning id)
     insert into routes (path, source_type, source_id) select 'root', 'Namespace', id from created`,
  );
  await client.query(`select setval(pg_get_serial_sequence('namespaces', 'id'), 1)`);
  const token = config.INITIAL_ROOT_TOKEN;
  if (token !== undefined) {
    await client.query(
      `insert into personal_access_tokens (user_id, name, digest, scopes) values (1, 'Initial token', $1, $2)`,
      [digestToken(token), SCOPES],
    );
  }
  const shown = config.INITIAL_ROOT_PASSWORD === undefined ? password : 'as given in INITIAL_ROOT_PASSWORD';
  return [
    `Administrator: root, password: ${shown}`,
    ...(token === undefined ? [] : ['Its token: as given in INITIAL_ROOT_TOKEN']),
  ];
}
