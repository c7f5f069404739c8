import type { TestApi } from './api.js';
import type { Answer, ApiClient } from './client.js';
import { sendImage, type ImageForm } from './metric-images.js';

/** Returns the path of the `avatar_url` of a record, for a client. */
export const pathOf = (url: string | null): string => new URL(url ?? 'http://forgeplane.test/none').pathname;

/** Sends a form with a picture in the field `avatar`. */
export const sendAvatar = <T = { avatar_url: string | null; message: unknown }>(
  client: ApiClient,
  method: 'POST' | 'PUT',
  path: string,
  form: ImageForm = {},
): Promise<Answer<T>> => sendImage<T>(client, path, { name: 'me.gif', field: 'avatar', ...form }, method);

/** A user with a token. */
export async function insertPerson(api: TestApi, name: string): Promise<{ id: number; client: ApiClient }> {
  const created = await api.root.post<{ id: number }>('/users', {
    email: `${name}@example.com`,
    name,
    username: name,
    force_random_password: true,
  });
  const { id } = created.body;
  const { body } = await api.root.post<{ token: string }>(`/users/${id}/personal_access_tokens`, {
    name: 'test',
    scopes: ['api'],
  });
  return { id, client: api.as(body.token) };
}
