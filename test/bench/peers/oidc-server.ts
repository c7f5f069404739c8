// `oidc-provider` on PostgreSQL, as a process of its own. Arguments: database URL, port. `POST /seed?kind=&count=` makes what is used up.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import pg from 'pg';
import { CHALLENGE, CLIENT, REDIRECT_URI, SECRET, type Seed } from './oauth-world.js';
import { PgAdapter, SCHEMA } from './pg-adapter.js';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });
await pool.query(SCHEMA);

const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: (kind) => new PgAdapter(pool, kind),
  clients: [{ client_id: CLIENT, client_secret: SECRET, redirect_uris: [REDIRECT_URI], grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'client_secret_basic' }],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
  scopes: ['openid', 'offline_access', 'api'],
  features: { devInteractions: { enabled: false }, introspection: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId } },
  rotateRefreshToken: true,
  issueRefreshToken: () => true,
  findAccount: async (_, id) => {
    const { rows } = await pool.query<{ state: string }>({ name: 'account', text: 'select name, state from accounts where id = $1', values: [id] });
    return rows[0]?.state === 'active' ? { accountId: id, claims: () => ({ sub: id }) } : undefined;
  },
  ttl: { AccessToken: 7_200, AuthorizationCode: 600, Grant: 1_209_600, IdToken: 7_200, RefreshToken: 1_209_600 },
});

/** One secret of this kind, of its own authorization. */
async function seed({ kind, scope }: Seed, index: number): Promise<string> {
  const client = await provider.Client.find(CLIENT);
  if (!client) throw new Error('The client is missing');
  const accountId = String(100 + (index % 200));
  const grant = new provider.Grant({ accountId, clientId: CLIENT });
  grant.addOIDCScope(scope);
  const what = { accountId, client, grantId: await grant.save(), gty: 'authorization_code', scope };
  if (kind === 'access') return new provider.AccessToken({ ...what, claims: {} }).save();
  if (kind === 'refresh') return new provider.RefreshToken({ ...what, authTime: Math.floor(Date.now() / 1000) }).save();
  const code = { redirectUri: REDIRECT_URI, codeChallenge: CHALLENGE, codeChallengeMethod: 'S256', authTime: Math.floor(Date.now() / 1000) };
  return new provider.AuthorizationCode({ ...what, ...code }).save();
}

const handle = provider.callback();
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname !== '/seed') {
    void handle(request, response);
    return;
  }
  const wanted = { kind: searchParams.get('kind'), scope: searchParams.get('scope') } as Seed;
  const all = Array.from({ length: Number(searchParams.get('count')) }, (_, index) => seed(wanted, index));
  Promise.all(all).then(
    (secrets) => response.end(JSON.stringify(secrets)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(port), '127.0.0.1');
