import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import {
  basic,
  buildApplication,
  buildCode,
  inBody,
  type BuiltApplication,
} from '../../../../support/builders/oauth.js';
import { addUser, type AddedUser } from '../../../../support/builders/instance.js';
import { borrowApi } from '../../../../support/shared-api.js';
import {
  exchangeCode,
  INVALID_CLIENT,
  INVALID_GRANT,
  INVALID_REQUEST,
  outcome,
  VERIFIER,
  VERIFIER_CHALLENGE,
  type TokenBody,
} from '../../../../support/token-endpoint.js';

let api: TestApi;
let user: AddedUser;
let client: BuiltApplication;
let open: BuiltApplication;
beforeAll(async () => {
  api = await borrowApi();
  user = await addUser(api, 'mona');
  client = await buildApplication(api);
  open = await buildApplication(api, { confidential: false });
});
afterAll(() => api.close());

const exchange = (
  code: string,
  values: TokenBody = inBody(client),
  headers?: TokenBody,
): Promise<Answer<TokenBody>> => exchangeCode(api, code, values, headers);

describe('a client', () => {
  it('authenticates by Basic, plain or encoded, or in the body', async () => {
    await api.sql('update oauth_applications set secret_digest = sha256($2) where id = $1', [
      client.id,
      Buffer.from('a+b%/ü:c'),
    ]);
    const secret = 'a+b%/ü:c';
    const encoded = encodeURIComponent(secret).replaceAll('%20', '+');
    for (const headers of [basic(client.uid, secret), basic(client.uid, encoded)])
      expect((await exchange(await buildCode(api, client, user.id), {}, headers)).status).toBe(200);
    const body = { client_id: client.uid, client_secret: secret };
    expect((await exchange(await buildCode(api, client, user.id), body)).status).toBe(200);
    const named = await exchange(
      await buildCode(api, client, user.id),
      { client_id: client.uid },
      basic(client.uid, secret),
    );
    expect(named.status).toBe(200);
    client = await buildApplication(api);
  });

  it('may use neither two methods nor two client ids', async () => {
    const code = await buildCode(api, client, user.id);
    const header = basic(client.uid, client.secret);
    expect(outcome(await exchange(code, inBody(client), header))).toEqual(INVALID_REQUEST);
    expect(outcome(await exchange(code, { client_id: open.uid }, header))).toEqual(INVALID_REQUEST);
  });

  it('gets 401 with a challenge of the scheme that it used', async () => {
    const code = await buildCode(api, client, user.id);
    const DESCRIPTION =
      'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.';
    const bearer = `Bearer realm="Forgeplane", error="invalid_client", error_description="${DESCRIPTION}"`;
    for (const body of [
      {},
      { client_id: client.uid },
      { ...inBody(client), client_secret: 'x' },
      { client_secret: client.secret },
      { client_id: 'nobody' },
    ]) {
      const answer = await exchange(code, body);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ error: 'invalid_client', error_description: DESCRIPTION });
      expect(answer.headers.get('www-authenticate')).toBe(bearer);
    }
    for (const header of [
      basic(client.uid, 'x'),
      basic('nobody', client.secret),
      { Authorization: 'Basic !' },
      basic(`${client.uid}%00`, 'x'),
      { Authorization: 'Basic' },
    ]) {
      const answer = await exchange(code, {}, header);
      expect(outcome(answer)).toEqual(INVALID_CLIENT);
      expect(answer.headers.get('www-authenticate')).toBe(`Basic realm="Forgeplane", ${bearer}`);
    }
  });
});

describe('PKCE', () => {
  const withChallenge = (application: BuiltApplication): Promise<string> =>
    buildCode(api, application, user.id, { codeChallenge: VERIFIER_CHALLENGE });
  const publicly = (code: string, values: Record<string, string>): Promise<Answer<Record<string, string>>> =>
    exchange(code, { client_id: open.uid, ...values });

  it('works for a public client without a secret', async () => {
    expect((await publicly(await withChallenge(open), { code_verifier: VERIFIER })).status).toBe(200);
  });

  it('refuses wrong and malformed verifiers', async () => {
    const code = await withChallenge(open);
    expect(outcome(await publicly(code, {}))).toEqual(INVALID_REQUEST);
    for (const verifier of [
      'x'.repeat(43),
      'short',
      VERIFIER + VERIFIER + VERIFIER,
      `${VERIFIER}+`,
      VERIFIER_CHALLENGE,
    ])
      expect(outcome(await publicly(code, { code_verifier: verifier }))).toEqual(INVALID_GRANT);
    expect(outcome(await publicly(code, { code_verifier: VERIFIER, client_secret: 'x' }))).toEqual(
      INVALID_CLIENT,
    );
    expect((await publicly(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  it('cannot be removed', async () => {
    const bare = await buildCode(api, client, user.id);
    expect(outcome(await exchange(bare, { ...inBody(client), code_verifier: VERIFIER }))).toEqual(
      INVALID_GRANT,
    );
    const open2 = await buildCode(api, open, user.id);
    expect(outcome(await publicly(open2, {}))).toEqual(INVALID_GRANT);
  });

  it('does not replace the secret of a confidential client', async () => {
    const code = await withChallenge(client);
    const body = { client_id: client.uid, code_verifier: VERIFIER };
    expect(outcome(await exchange(code, body))).toEqual(INVALID_CLIENT);
    expect((await exchange(code, { ...body, client_secret: client.secret })).status).toBe(200);
  });
});
