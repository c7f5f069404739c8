import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { insertPerson, pathOf, sendAvatar } from '../../../../support/avatars.js';
import type { ApiClient } from '../../../../support/client.js';
import { GIF } from '../../../../support/metric-images.js';
import { borrowApi } from '../../../../support/shared-api.js';

describe('avatars', () => {
  let api: TestApi;
  let ada: { id: number; client: ApiClient };
  let eve: { id: number; client: ApiClient };

  beforeAll(async () => {
    api = await borrowApi();
    ada = await insertPerson(api, 'ada');
    eve = await insertPerson(api, 'eve');
  });
  afterAll(() => api.close());

  it('are found by known addresses, and reveal no others', async () => {
    const { body } = await sendAvatar(ada.client, 'PUT', '/user/avatar');
    const find = async (client: ApiClient, email: string): Promise<unknown> =>
      (await client.get(`/avatar?email=${encodeURIComponent(email)}&size=64`)).body;
    expect(await find(ada.client, 'ADA@example.com')).toEqual(body);
    expect(await find(api.root, 'ada@example.com')).toEqual(body);
    for (const client of [eve.client, api.anonymous])
      expect([await find(client, 'ada@example.com'), await find(client, 'nobody@example.com')]).toEqual([
        { avatar_url: null },
        { avatar_url: null },
      ]);
    await api.root.put(`/users/${ada.id}`, { public_email: 'ada@example.com' });
    for (const client of [eve.client, api.anonymous])
      expect(await find(client, 'ada@example.com')).toEqual(body);
    await api.root.put(`/users/${ada.id}`, { private_profile: true });
    expect(await find(eve.client, 'ada@example.com')).toEqual({ avatar_url: null });
    expect((await api.anonymous.get('/avatar')).status).toBe(400);
    expect((await api.anonymous.get('/avatar?email[]=a')).status).toBe(400);
    expect((await api.anonymous.get('/avatar?email=a&size=0')).status).toBe(400);
    await api.root.put('/application/settings', { restricted_visibility_levels: ['public'] });
    expect((await api.anonymous.get('/avatar?email=ada@example.com')).status).toBe(403);
    expect(await find(ada.client, 'ada@example.com')).toEqual(body);
    await api.root.put('/application/settings', { restricted_visibility_levels: [] });
  });

  it('without a file extension get that of their content', async () => {
    const { body } = await sendAvatar(ada.client, 'PUT', '/user/avatar', { name: 'blob' });
    expect(body.avatar_url).toMatch(/\/blob\.gif$/);
  });

  it('cannot be set with read-only tokens', async () => {
    const { body } = await api.root.post<{ token: string }>(`/users/${ada.id}/personal_access_tokens`, {
      name: 'read',
      scopes: ['read_user'],
    });
    const reader = api.as(body.token);
    expect((await sendAvatar(reader, 'PUT', '/user/avatar')).status).toBe(403);
    expect((await sendAvatar(api.anonymous, 'PUT', '/user/avatar')).status).toBe(401);
    await sendAvatar(ada.client, 'PUT', '/user/avatar');
    const { body: user } = await reader.get<{ readonly avatar_url: string | null }>('/user');
    expect((await reader.get(pathOf(user.avatar_url))).text).toBe(GIF);
  });
});
