import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { CALLBACK, refusedWith, startOauthWorld, type OauthWorld } from '../support/oauth-world.js';

// oxlint-disable-next-line typescript/no-deprecated -- deprecated to warn of plain HTTP, which is what a test on the loopback speaks
const insecure = { [oauth.allowInsecureRequests]: true } as const;

describe('oauth4webapi', () => {
  let world: OauthWorld;
  let server: oauth.AuthorizationServer;

  beforeAll(async () => {
    world = await startOauthWorld();
    const issuer = new URL(world.product.url);
    server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  });
  afterAll(() => world.close());

  interface Asked {
    readonly back: URL;
    readonly verifier: string;
    readonly state: string;
    readonly nonce: string;
  }

  async function ask(clientId: string, scope: string): Promise<Asked> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = oauth.generateRandomNonce();
    const url = new URL(server.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    return { back: await (await world.signedIn()).authorize(url), verifier, state, nonce };
  }

  it('finds the same document as authorization server metadata', async () => {
    const issuer = new URL(world.product.url);
    const other = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    expect(other).toEqual(server);
  });

  it('leads a public client through code, id_token, refresh, userinfo and revocation', async () => {
    const { application_id: clientId } = await world.register('openid email read_api', {
      confidential: false,
    });
    const client: oauth.Client = { client_id: clientId };
    const { back, verifier, state, nonce } = await ask(clientId, 'openid email');
    const parameters = oauth.validateAuthResponse(server, client, back, state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      CALLBACK,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, answer, insecure);

    const info = await oauth.processUserInfoResponse(
      server,
      client,
      String(world.userId),
      await oauth.userInfoRequest(server, client, tokens.access_token, insecure),
    );
    expect(info.email).toBe('olga@example.com');

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        tokens.refresh_token ?? '',
        insecure,
      ),
    );
    const revoked = await oauth.revocationRequest(
      server,
      client,
      oauth.None(),
      refreshed.access_token,
      insecure,
    );
    await oauth.processRevocationResponse(revoked);
    const user = await fetch(new URL('/api/v4/user', world.product.url), {
      headers: { authorization: `Bearer ${refreshed.access_token}` },
    });
    expect(user.status).toBe(401);
    expect(await user.json()).toMatchObject({ error: 'invalid_token' });
  });

  it('authenticates a confidential client by header and by body, and introspects', async () => {
    const application = await world.register('read_user');
    const client: oauth.Client = { client_id: application.application_id };
    for (const authentication of [
      oauth.ClientSecretBasic(application.secret),
      oauth.ClientSecretPost(application.secret),
    ]) {
      const { back, verifier, state } = await ask(client.client_id, 'read_user');
      const parameters = oauth.validateAuthResponse(server, client, back, state);
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        CALLBACK,
        verifier,
        insecure,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
      const state_ = await oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, authentication, tokens.access_token, insecure),
      );
      expect(state_).toMatchObject({ active: true, scope: 'read_user', client_id: client.client_id });
    }
  });

  it('understands refusals: a wrong verifier, a wrong secret, a denied request', async () => {
    const application = await world.register('read_user');
    const client: oauth.Client = { client_id: application.application_id };
    const { back, state } = await ask(client.client_id, 'read_user');
    const parameters = oauth.validateAuthResponse(server, client, back, state);
    const exchange = (secret: string, verifier: string): Promise<Response> =>
      oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.ClientSecretBasic(secret),
        parameters,
        CALLBACK,
        verifier,
        insecure,
      );
    const refusal = async (secret: string): Promise<unknown> => {
      const answer = await exchange(secret, oauth.generateRandomCodeVerifier());
      return refusedWith(oauth.processAuthorizationCodeResponse(server, client, answer));
    };
    expect(await refusal(application.secret)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await refusal('wrong')).toEqual({ status: 401, error: 'invalid_client' });

    const visitor = await world.signedIn();
    const url = new URL(server.authorization_endpoint ?? '');
    const other = await world.register('read_user');
    url.search = new URLSearchParams({
      client_id: other.application_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read_user',
      state: 'of the test',
    }).toString();
    const page = await visitor.open(url.href);
    const left = await visitor.send(page, 'Deny');
    if (!('location' in left)) throw new Error('The denial stays here');
    const { searchParams } = left.location;
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['access_denied', 'of the test']);
    const denied: oauth.Client = { client_id: other.application_id };
    expect(() => oauth.validateAuthResponse(server, denied, left.location, 'of the test')).toThrow(
      oauth.AuthorizationResponseError,
    );
  });
});
