import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';

/** Facts about a new token for the tests. */
export interface BuiltToken {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly scopes: readonly string[];
  readonly user_id: number;
  readonly revoked: boolean;
  readonly active: boolean;
  readonly expires_at: string | null;
}

/** A new token of a project or group. */
export interface BuiltResourceToken extends BuiltToken {
  readonly access_level: number;
}

async function make<T>(client: ApiClient, path: string, values: object): Promise<T> {
  const answer = await client.post<T>(path, values);
  if (answer.status !== 201) throw new Error(`Token not created: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Creates a personal access token with the scope `api`, as the administrator. */
export const buildToken = (api: TestApi, userId: number, values: object = {}): Promise<BuiltToken> =>
  make(api.root, `/users/${userId}/personal_access_tokens`, { name: 'built', scopes: ['api'], ...values });

/** Creates an impersonation token with the scope `api`, as the administrator. */
export const buildImpersonationToken = (
  api: TestApi,
  userId: number,
  values: object = {},
): Promise<BuiltToken> =>
  make(api.root, `/users/${userId}/impersonation_tokens`, { name: 'built', scopes: ['api'], ...values });

/** Creates the access token of a project or group; `place` is a path such as `projects/1`. */
export const buildResourceToken = (
  client: ApiClient,
  place: string,
  values: object = {},
): Promise<BuiltResourceToken> =>
  make(client, `/${place}/access_tokens`, { name: 'bot', scopes: ['api'], ...values });
