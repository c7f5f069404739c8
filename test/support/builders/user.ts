import { randomBytes } from 'node:crypto';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';

/** A user created over HTTP, with a client that acts as them. */
export interface CreatedUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly client: ApiClient;
}

let serial = 0;

/** Creates a user as the administrator would, and a token of the given scopes. */
export async function createUser(
  api: TestApi,
  attributes: Readonly<Record<string, unknown>> = {},
  scopes: readonly string[] = ['api'],
): Promise<CreatedUser> {
  serial += 1;
  const username = `user-${serial}-${randomBytes(3).toString('hex')}`;
  const answer = await api.root.post<{ id: number; username: string; name: string }>('/users', {
    username,
    name: `User ${serial}`,
    email: `${username}@example.com`,
    force_random_password: true,
    ...attributes,
  });
  if (answer.status !== 201) throw new Error(`POST /users: ${answer.status} ${answer.text}`);
  const { id, name } = answer.body;
  return { id, username: answer.body.username, name, client: await clientOf(api, id, scopes) };
}

/** A client with a new personal access token of a user. */
export async function clientOf(
  api: TestApi,
  userId: number,
  scopes: readonly string[] = ['api'],
): Promise<ApiClient> {
  const token = `glpat-${randomBytes(12).toString('hex')}`;
  await api.sql(
    `insert into personal_access_tokens (user_id, name, digest, scopes) values ($1, 'test', $2, $3)`,
    [userId, digestToken(token), scopes],
  );
  return api.as(token);
}
