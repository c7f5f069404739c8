import { digestToken } from '#kernel/crypto/tokens.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { Scope } from '#kernel/access/roles.js';
import {
  ApplicationsService,
  type NewApplication,
} from '#core/oauth-tokens/applications/applications.service.js';
import { GrantsService, type NewGrant } from '#core/oauth-tokens/grants.service.js';
import { OauthTokensService } from '#core/oauth-tokens/oauth-tokens.service.js';
import type { TestApi } from '../api.js';
import type { Answer } from '../client.js';

/** Redirect URI of every built application, unless it names others. */
export const CALLBACK = 'https://client.example.com/callback';

/** An application with its secret. */
export interface BuiltApplication {
  readonly id: number;
  readonly uid: string;
  readonly secret: string;
  readonly redirectUri: string;
}

/** A pair of tokens. */
export interface BuiltPair {
  readonly id: number;
  readonly access: string;
  readonly refresh: string;
}

const service = <T>(api: TestApi, type: new (...args: never[]) => T): T =>
  api.app.get<T>(type, { strict: false });

/** Registers a confidential application of the instance with the scopes `api` and `read_user`. */
export async function buildApplication(
  api: TestApi,
  values: Partial<NewApplication> = {},
): Promise<BuiltApplication> {
  const { application, secret } = await service(api, ApplicationsService).create(
    {
      name: 'Client',
      redirectUris: [CALLBACK],
      scopes: ['api', 'read_user'],
      confidential: true,
      trusted: false,
      ownerId: null,
      refreshGracePeriodSeconds: 0,
      ...values,
    },
    null,
  );
  const { id, uid, redirectUris } = application;
  return { id, uid, secret, redirectUri: redirectUris[0] ?? '' };
}

/** A code as the consent of the user creates it, for the scope `api`. */
export const buildCode = (
  api: TestApi,
  application: BuiltApplication,
  userId: number,
  values: Partial<NewGrant> = {},
): Promise<string> =>
  service(api, Transactions).run((tx) =>
    service(api, GrantsService).create(tx, {
      applicationId: application.id,
      userId,
      redirectUri: application.redirectUri,
      scopes: ['api'],
      codeChallenge: null,
      nonce: null,
      authTime: new Date(),
      ...values,
    }),
  );

/** A pair of tokens from the exchange of a code, with the scope `api` by default. */
export async function buildPair(
  api: TestApi,
  application: BuiltApplication,
  userId: number,
  scopes: readonly Scope[] = ['api'],
): Promise<BuiltPair> {
  const code = await buildCode(api, application, userId, { scopes });
  const [grant] = await api.sql<{ id: number }>('select id from oauth_grants where digest = $1', [
    digestToken(code),
  ]);
  const pair = await service(api, OauthTokensService).exchange(grant?.id ?? 0);
  if (!pair?.refreshToken) throw new Error('The code was not exchanged');
  return { id: pair.id, access: pair.accessToken, refresh: pair.refreshToken };
}

/** Sends a form to one of the endpoints below `/oauth`. */
export const postForm = <T = Record<string, unknown>>(
  api: TestApi,
  path: string,
  values: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<T>> =>
  api.anonymous.post<T>(path, typeof values === 'string' ? values : new URLSearchParams(values).toString(), {
    'Content-Type': 'application/x-www-form-urlencoded',
    ...headers,
  });

/** `Authorization` of a client that authenticates by HTTP Basic. */
export const basic = (id: string, secret: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** Values that a client sends in the body to authenticate. */
export const inBody = ({ uid, secret }: BuiltApplication): Record<string, string> => ({
  client_id: uid,
  client_secret: secret,
});
