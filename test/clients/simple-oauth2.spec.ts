import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/client.js';
import { AuthorizationCode, ResourceOwnerPassword } from 'simple-oauth2';
import {
  CALLBACK,
  PASSWORD,
  startOauthWorld,
  type OauthWorld,
  type RegisteredApplication,
} from '../support/oauth-world.js';

describe('simple-oauth2', () => {
  let world: OauthWorld;
  let application: RegisteredApplication;

  beforeAll(async () => {
    world = await startOauthWorld();
    application = await world.register('read_user api');
  });
  afterAll(() => world.close());

  const config = (authorizationMethod: 'header' | 'body', secret = application.secret) => ({
    client: { id: application.application_id, secret },
    auth: {
      tokenHost: world.product.url,
      tokenPath: '/oauth/token',
      authorizePath: '/oauth/authorize',
      revokePath: '/oauth/revoke',
    },
    options: { authorizationMethod },
  });

  const passwordConfig = (secret = application.secret) => ({
    client: { id: application.application_id, secret },
    auth: { tokenHost: world.product.url, tokenPath: '/oauth/token' },
  });

  it.each(['header', 'body'] as const)('runs the code flow with credentials in the %s', async (method) => {
    const client = new AuthorizationCode(config(method));
    const url = client.authorizeURL({ redirect_uri: CALLBACK, scope: ['read_user'], state: 'a b&c=d' });
    const back = await (await world.signedIn()).authorize(url);
    expect(back.searchParams.get('state')).toBe('a b&c=d');
    const first = await client.getToken({
      code: back.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
    });
    expect(first.token).toMatchObject({ token_type: 'bearer', scope: 'read_user', expires_in: 7200 });
    expect(first.expired()).toBe(false);
    const second = await first.refresh();
    expect(second.token['access_token']).not.toBe(first.token['access_token']);
    const bearer = { Authorization: `Bearer ${String(second.token['access_token'])}` };
    const anybody = new ApiClient(world.product.url, null);
    expect((await anybody.get('/user', bearer)).status).toBe(200);
    await second.revokeAll();
    expect((await anybody.get('/user', bearer)).status).toBe(401);
  });

  it('uses the password grant, and is refused with a wrong secret', async () => {
    const granted = await new ResourceOwnerPassword(passwordConfig()).getToken({
      username: 'olga',
      password: PASSWORD,
      scope: 'read_user',
    });
    expect(granted.token).toMatchObject({ token_type: 'bearer' });
    await expect(
      new ResourceOwnerPassword(passwordConfig('wrong')).getToken({ username: 'olga', password: PASSWORD }),
    ).rejects.toMatchObject({ output: { statusCode: 401 } });
  });
});
