import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  jwtVerify,
  type JWTPayload,
} from 'jose';
import { randomBytes } from 'node:crypto';
import { loadConfig } from '#kernel/config/load-config.js';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { IdTokensService, type IdTokenRequest } from '#features/oauth/openid/id-tokens.service.js';
import { RotateSigningKeysProcessor } from '#features/oauth/openid/keys/rotate-signing-keys.processor.js';
import { SigningKeysService } from '#features/oauth/openid/keys/signing-keys.service.js';
import type { PublicJwk } from '#features/oauth/openid/keys/signing-key.entity.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import {
  basic,
  buildApplication,
  buildCode,
  postForm,
  type BuiltApplication,
} from '../../../support/builders/oauth.js';

const BASE = 'http://forgeplane.test';
const SECRETS_KEY = randomBytes(32).toString('hex');

/** Two processes of one installation. */
let api: TestApi;
let other: TestApi;
let user: AddedUser;
beforeAll(async () => {
  api = await startApi({ SECRETS_KEY });
  other = await startApi({ SECRETS_KEY, DATABASE_URL: api.databaseUrl });
  user = await addUser(api, 'ada');
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const keysOf = async (at: TestApi): Promise<PublicJwk[]> =>
  (await at.anonymous.get<{ keys: PublicJwk[] }>('/oauth/discovery/keys')).body.keys;
const keysService = (at: TestApi): SigningKeysService => at.app.get(SigningKeysService, { strict: false });
const sign = (at: TestApi, values: Partial<IdTokenRequest> = {}): Promise<string> =>
  at.app.get(IdTokensService, { strict: false }).sign({
    userId: user.id,
    applicationUid: 'client',
    scopes: ['openid'],
    nonce: null,
    authTime: new Date(),
    ...values,
  });
const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? '';

/** Verifies as a client does: with the keys that the other process serves. */
const verify = async (token: string, audience = 'client'): Promise<JWTPayload> => {
  const keys = createLocalJWKSet({ keys: (await keysOf(other)).map((key) => ({ ...key })) });
  return (await jwtVerify(token, keys, { issuer: BASE, audience, algorithms: ['RS256'] })).payload;
};

describe('keys', () => {
  it('are created once, however many processes need one at the same time', async () => {
    const tokens = await Promise.all([
      ...Array.from({ length: 6 }, () => sign(api)),
      ...Array.from({ length: 6 }, () => sign(other)),
    ]);
    await Promise.all([keysOf(api), keysOf(other)]);
    expect(new Set(tokens.map(kidOf)).size).toBe(1);
    const rows = await api.sql<{ sealed_private_key: string }>(
      'select sealed_private_key from oauth_signing_keys',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sealed_private_key).not.toContain('PRIVATE');
  });

  it('are served as public RSA keys named by their thumbprint', async () => {
    const answer = await api.anonymous.get<{ keys: PublicJwk[] }>('/oauth/discovery/keys');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const [key] = answer.body.keys;
    if (!key) throw new Error('No key is served');
    expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(key).toMatchObject({
      kty: 'RSA',
      use: 'sig',
      alg: 'RS256',
      kid: await calculateJwkThumbprint({ ...key }),
    });
    expect(Buffer.from(key.n, 'base64url')).toHaveLength(256);
    const tag = answer.headers.get('etag') ?? '';
    const again = await api.anonymous.get('/oauth/discovery/keys', { 'If-None-Match': tag });
    expect(again.status).toBe(304);
  });
});

describe('an id_token', () => {
  it('states the user, the audience and the expiry', async () => {
    const authTime = new Date('2026-01-02T03:04:05.678Z');
    const token = await sign(api, { scopes: ['openid', 'email'], nonce: 'n-0S6_WzA2Mj', authTime });
    const claims = await verify(token);
    const now = Math.floor(Date.now() / 1000);
    expect(Math.abs((claims.iat ?? 0) - now)).toBeLessThan(10);
    expect(claims).toEqual({
      iss: BASE,
      sub: String(user.id),
      aud: 'client',
      exp: (claims.iat ?? 0) + 120,
      iat: claims.iat,
      nonce: 'n-0S6_WzA2Mj',
      auth_time: Math.floor(authTime.getTime() / 1000),
      sub_legacy: expect.stringMatching(/^[0-9a-f]{64}$/),
      email: 'ada@example.com',
      email_verified: true,
      groups_direct: [],
    });
  });

  it('has no nonce and no address unless requested, and the same legacy subject in every process', async () => {
    const [claims, same] = await Promise.all(
      [sign(api), sign(other)].map(async (token) => verify(await token)),
    );
    expect(claims).not.toHaveProperty('nonce');
    expect(claims).not.toHaveProperty('email');
    expect(claims?.['email_verified']).toBe(false);
    expect(claims?.['sub_legacy']).toBe(same?.['sub_legacy']);
  });

  it('names the direct groups only', async () => {
    const person = await addUser(api, 'direct');
    const group = await buildGroup(api);
    await buildGroup(api, { parent_id: group.id });
    await buildMember(api, `groups/${group.id}`, person.id, 30);
    expect((await verify(await sign(api, { userId: person.id })))['groups_direct']).toEqual([
      group.full_path,
    ]);
  });

  it('is not issued for a user who was just removed', async () => {
    await expect(sign(api, { userId: 0 })).rejects.toMatchObject({ status: 400 });
  });

  it('does not verify for another audience, or after tampering', async () => {
    const token = await sign(api);
    await expect(verify(token, 'another')).rejects.toThrow();
    const [header, , signature] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ iss: BASE, sub: '1', aud: 'client' })).toString('base64url');
    await expect(verify(`${header}.${forged}.${signature}`)).rejects.toThrow();
  });
});

describe('the token endpoint', () => {
  let application: BuiltApplication;
  beforeAll(async () => {
    application = await buildApplication(api, { scopes: ['api', 'openid', 'email'] });
  });
  const exchange = async (
    scopes: readonly ('api' | 'openid' | 'email')[],
  ): Promise<Record<string, string>> => {
    const authTime = new Date(Date.now() - 60_000);
    const code = await buildCode(api, application, user.id, { scopes, nonce: 'once', authTime });
    const form = { grant_type: 'authorization_code', code, redirect_uri: application.redirectUri };
    const answer = await postForm<Record<string, string>>(
      api,
      '/oauth/token',
      form,
      basic(application.uid, application.secret),
    );
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('adds an id_token only if openid was granted', async () => {
    expect(await exchange(['api'])).not.toHaveProperty('id_token');
    const { id_token: token = '' } = await exchange(['openid', 'email']);
    const claims = await verify(token, application.uid);
    expect(claims).toMatchObject({ sub: String(user.id), nonce: 'once', email: 'ada@example.com' });
    expect(Math.abs(Number(claims['auth_time']) - Date.now() / 1000 + 60)).toBeLessThan(10);
  });

  it('adds an id_token to a refresh, without the original nonce (OpenID Connect Core, 12.2)', async () => {
    const { refresh_token: refresh = '' } = await exchange(['openid']);
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    const { body } = await postForm<Record<string, string>>(
      api,
      '/oauth/token',
      form,
      basic(application.uid, application.secret),
    );
    const claims = await verify(body['id_token'] ?? '', application.uid);
    expect(claims.sub).toBe(String(user.id));
    expect(claims).not.toHaveProperty('nonce');
  });
});

describe('rotation', () => {
  it('makes every process sign with the new key within a minute, while the old key is still served', async () => {
    const before = await sign(api);
    const { kid } = await keysService(other).rotate();
    expect((await keysOf(api)).map((key) => key.kid)).toEqual([kid, kidOf(before)]);
    expect(kidOf(await sign(api))).toBe(kidOf(before));
    await verify(before);
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + 61_000);
    try {
      const [after, elsewhere] = await Promise.all([sign(api), sign(other)]);
      expect([kidOf(after), kidOf(elsewhere)]).toEqual([kid, kid]);
      await verify(after);
    } finally {
      clock.mockRestore();
    }
  });

  it('happens automatically after three months, once for two workers', async () => {
    const run = (at: TestApi): Promise<void> => new RotateSigningKeysProcessor(keysService(at)).process();
    const [former] = await keysOf(api);
    await run(api);
    expect((await keysOf(api))[0]).toEqual(former);
    await api.sql(`update oauth_signing_keys set created_at = now() - interval '91 days' where kid = $1`, [
      former?.kid,
    ]);
    await Promise.all([run(api), run(other)]);
    const keys = await keysOf(api);
    expect([keys.length, keys[1]]).toEqual([3, former]);
    expect(await api.sql('select 1 from oauth_signing_keys where retired_at is null')).toHaveLength(1);
  });

  it('also happens if the key is sealed with a SECRETS_KEY that is no longer the first', async () => {
    const [former] = await keysOf(api);
    const foreign = new SecretBox(loadConfig({ SECRETS_KEY: 'x'.repeat(40) })).seal('key', 'purpose');
    await api.sql('update oauth_signing_keys set sealed_private_key = $2 where kid = $1', [
      former?.kid,
      foreign,
    ]);
    await new RotateSigningKeysProcessor(keysService(api)).process();
    const keys = await keysOf(api);
    expect([keys.length, keys[1]]).toEqual([4, former]);
  });

  it('removes old keys when nothing that they signed can still be valid', async () => {
    const [current] = await keysOf(api);
    await api.sql(
      `update oauth_signing_keys set retired_at = now() - interval '59 minutes' where retired_at is not null`,
    );
    await keysService(api).prune();
    expect(await keysOf(api)).toHaveLength(4);
    await api.sql(
      `update oauth_signing_keys set retired_at = now() - interval '61 minutes' where retired_at is not null`,
    );
    expect(await keysOf(other)).toEqual([current]);
    await keysService(api).prune();
    expect(await api.sql('select 1 from oauth_signing_keys')).toHaveLength(1);
  });
});
