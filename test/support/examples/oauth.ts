import { buildCode } from '../builders/oauth.js';
import type { Answer } from '../client.js';
import type { ExampleWorld } from './desk.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const CALLBACK = 'https://client.example.com/callback';

/** An application, and the tokens that it gets. */
export async function showOauth({ desk, ada }: ExampleWorld): Promise<void> {
  const { body: made } = await desk.shown.post<{ id: number; application_id: string; secret: string }>(
    '/applications',
    { name: 'Dashboard', redirect_uri: CALLBACK, scopes: 'openid profile email read_user' },
  );
  await desk.show(`/applications/${made.id}`);
  const open = desk.recorder.as(null);
  const send = (path: string, fields: Record<string, string>): Promise<Answer<{ access_token: string }>> =>
    open.post(path, new URLSearchParams({ ...client, ...fields }).toString(), FORM);
  const client = { client_id: made.application_id, client_secret: made.secret };
  const application = { id: made.id, uid: made.application_id, secret: made.secret, redirectUri: CALLBACK };
  const code = await buildCode(desk.api, application, ada.id, { scopes: ['openid', 'profile', 'email'] });
  const { body: token } = await send('/oauth/token', {
    ...{ grant_type: 'authorization_code', code, redirect_uri: CALLBACK },
  });
  const bearer = { Authorization: `Bearer ${token.access_token}` };
  for (const path of [
    '/oauth/userinfo',
    '/oauth/token/info',
    '/oauth/discovery/keys',
    '/.well-known/openid-configuration',
    '/.well-known/webfinger?resource=acct:ada@example.com',
  ])
    await open.get(path, bearer);
  await send('/oauth/introspect', { token: token.access_token });
  await send('/oauth/revoke', { token: token.access_token });
}
