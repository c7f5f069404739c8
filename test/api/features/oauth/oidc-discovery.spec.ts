import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { postForm } from '../../../support/builders/oauth.js';
import { borrowApi } from '../../../support/shared-api.js';

const BASE = 'http://forgeplane.test';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

describe('discovery', () => {
  it('describes the provider, identically under both names', async () => {
    const expected = {
      issuer: BASE,
      authorization_endpoint: `${BASE}/oauth/authorize`,
      token_endpoint: `${BASE}/oauth/token`,
      revocation_endpoint: `${BASE}/oauth/revoke`,
      introspection_endpoint: `${BASE}/oauth/introspect`,
      userinfo_endpoint: `${BASE}/oauth/userinfo`,
      jwks_uri: `${BASE}/oauth/discovery/keys`,
      scopes_supported: expect.arrayContaining(['api', 'read_user', 'sudo', 'openid', 'profile', 'email']),
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'password', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claim_types_supported: ['normal'],
      claims_supported: expect.arrayContaining(['iss', 'sub_legacy', 'groups', 'groups_direct']),
      code_challenge_methods_supported: ['S256'],
    };
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const answer = await api.anonymous.get(path);
      expect([answer.status, answer.body]).toEqual([200, expected]);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
      expect((await api.anonymous.send('HEAD', path)).status).toBe(200);
      expect((await api.anonymous.post(path)).status).toBe(405);
    }
  });

  it('names existing endpoints', async () => {
    const { body } = await api.anonymous.get<Record<string, string>>('/.well-known/openid-configuration');
    for (const [name, url] of Object.entries(body).filter(([key]) => /_endpoint$|_uri$/.test(key))) {
      const path = url.slice(BASE.length);
      const { status } = await api.anonymous.send('PATCH', path);
      expect([name, status]).toEqual([name, 405]);
    }
  });

  it('lists the grant types that the token endpoint supports', async () => {
    const { body } = await api.anonymous.get<Record<string, string[]>>('/.well-known/openid-configuration');
    const errorOf = async (type: string): Promise<unknown> =>
      (await postForm(api, '/oauth/token', { grant_type: type })).body['error'];
    for (const type of body['grant_types_supported'] ?? [])
      expect([type, await errorOf(type)]).not.toEqual([type, 'unsupported_grant_type']);
    for (const type of ['client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])
      expect([type, await errorOf(type)]).toEqual([type, 'unsupported_grant_type']);
  });

  it('finds the issuer of a user or host by WebFinger', async () => {
    for (const resource of [
      'acct:ada@forgeplane.test',
      'http://forgeplane.test/ada',
      'https://elsewhere.test',
    ]) {
      const { status, body } = await api.anonymous.get(
        `/.well-known/webfinger?resource=${encodeURIComponent(resource)}`,
      );
      const links = [{ rel: 'http://openid.net/specs/connect/1.0/issuer', href: BASE }];
      expect([status, body]).toEqual([200, { subject: resource, links }]);
    }
    const missing = await api.anonymous.get('/.well-known/webfinger');
    expect([missing.status, missing.body]).toEqual([
      400,
      { message: '400 (Bad request) "resource" not given' },
    ]);
    for (const bad of [
      'ada',
      'javascript:alert(1)',
      'acct:',
      'http://',
      `https://x.test/${'y'.repeat(2100)}`,
      'a b',
    ]) {
      const answer = await api.anonymous.get(`/.well-known/webfinger?resource=${encodeURIComponent(bad)}`);
      expect([bad.slice(0, 20), answer.status]).toEqual([bad.slice(0, 20), 400]);
    }
    expect((await api.anonymous.get('/.well-known/webfinger?resource[]=acct:a@b')).status).toBe(400);
  });
});
