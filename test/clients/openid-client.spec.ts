import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as client from 'openid-client';
import {
  CALLBACK,
  refusedWith,
  PASSWORD,
  startOauthWorld,
  type OauthWorld,
  type RegisteredApplication,
} from '../support/oauth-world.js';

describe('openid-client', () => {
  let world: OauthWorld;
  let application: RegisteredApplication;
  let config: client.Configuration;

  beforeAll(async () => {
    world = await startOauthWorld();
    application = await world.register('openid profile email read_user');
    config = await client.discovery(
      new URL(world.product.url),
      application.application_id,
      application.secret,
      undefined,
      {
        // oxlint-disable-next-line typescript/no-deprecated -- deprecated to warn of plain HTTP, which is what a test on the loopback speaks
        execute: [client.allowInsecureRequests],
      },
    );
  });
  afterAll(() => world.close());

  /** Sends a signed-in visitor through the code flow with PKCE, state and nonce. */
  async function authorize(
    scope: string,
  ): Promise<Awaited<ReturnType<typeof client.authorizationCodeGrant>>> {
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const nonce = client.randomNonce();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const visitor = await world.signedIn();
    const back = await visitor.authorize(url);
    return client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
  }

  it('discovers the service', () => {
    const server = config.serverMetadata();
    expect(server.issuer).toBe(world.product.url);
    expect(server.supportsPKCE()).toBe(true);
    expect(server.grant_types_supported).not.toContain('client_credentials');
  });

  it('signs a user in: code with PKCE, verified id_token, userinfo', async () => {
    const tokens = await authorize('openid profile email');
    expect(tokens.token_type).toBe('bearer');
    expect(tokens.expires_in).toBe(7200);
    const claims = tokens.claims();
    expect(claims).toMatchObject({
      sub: String(world.userId),
      aud: application.application_id,
      iss: world.product.url,
    });
    const info = await client.fetchUserInfo(config, tokens.access_token, String(world.userId));
    expect(info).toMatchObject({
      nickname: 'olga',
      name: 'Olga Auth',
      email: 'olga@example.com',
      email_verified: true,
    });
  });

  it('uses, refreshes, introspects and revokes tokens', async () => {
    const tokens = await authorize('openid read_user');
    const user = async (token: string): Promise<number> =>
      (await client.fetchProtectedResource(config, token, new URL('/api/v4/user', world.product.url), 'GET'))
        .status;
    expect(await user(tokens.access_token)).toBe(200);

    const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(fresh.access_token).not.toBe(tokens.access_token);
    expect(await user(fresh.access_token)).toBe(200);
    expect(await client.tokenIntrospection(config, fresh.access_token)).toMatchObject({
      active: true,
      client_id: application.application_id,
      scope: 'openid read_user',
    });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });

    await client.tokenRevocation(config, fresh.refresh_token ?? '');
    expect(await client.tokenIntrospection(config, fresh.access_token)).toEqual({ active: false });
    expect(await refusedWith(client.refreshTokenGrant(config, fresh.refresh_token ?? ''))).toEqual({
      status: 400,
      error: 'invalid_grant',
    });
  });

  it('gets an error if a code is used twice, and loses the tokens of the first exchange', async () => {
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'read_user',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const back = await (await world.signedIn()).authorize(url);
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier });
    expect(
      await refusedWith(client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier })),
    ).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  });

  it('uses the password grant of a first-party application', async () => {
    const tokens = await client.genericGrantRequest(config, 'password', {
      username: 'olga',
      password: PASSWORD,
      scope: 'read_user',
    });
    expect(tokens.refresh_token).toBeUndefined();
    expect(
      await refusedWith(
        client.genericGrantRequest(config, 'password', { username: 'olga', password: 'wrong' }),
      ),
    ).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await refusedWith(client.clientCredentialsGrant(config))).toEqual({
      status: 400,
      error: 'unsupported_grant_type',
    });
  });
});
