import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface EmailBody {
  id: number;
  email: string;
  confirmed_at: string | null;
}

const TAKEN = { message: { email: ['has already been taken'] } };

describe('additional email addresses', () => {
  let api: TestApi;
  let jane: CreatedUser;
  let zoe: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    jane = await createUser(api);
    zoe = await createUser(api);
  });
  afterAll(() => api.close());

  it('are added by their user, unconfirmed, shown and removed', async () => {
    const added = await jane.client.post<EmailBody>('/user/emails', { email: 'jane.two@example.com' });
    expect([added.status, added.body]).toEqual([
      201,
      { id: added.body.id, email: 'jane.two@example.com', confirmed_at: null },
    ]);
    expect((await jane.client.get('/user/emails')).body).toEqual([added.body]);
    expect((await api.root.get(`/users/${jane.id}/emails`)).body).toEqual([added.body]);
    expect((await jane.client.get(`/user/emails/${added.body.id}`)).body).toEqual(added.body);
    for (const method of ['GET', 'DELETE']) {
      const foreign = await zoe.client.send(method, `/user/emails/${added.body.id}`);
      expect([foreign.status, foreign.body]).toEqual([404, { message: '404 Email Not Found' }]);
    }
    const old = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await jane.client.delete(`/user/emails/${added.body.id}`, old)).status).toBe(412);
    expect((await jane.client.delete(`/user/emails/${added.body.id}`)).status).toBe(204);
    expect((await jane.client.get('/user/emails')).body).toEqual([]);
    const audits = await api.sql<{ details: Record<string, unknown> }>(
      `select details from audit_events where entity_id = $1 and details ->> 'target_type' = 'Email' order by id`,
      [jane.id],
    );
    expect(audits.map(({ details }) => details['add'] ?? details['remove'])).toEqual(['email', 'email']);
  });

  it('are confirmed by administrators, and can then be public', async () => {
    const path = `/users/${jane.id}/emails`;
    const plain = await api.root.post<EmailBody>(path, { email: 'plain@example.com' });
    expect([plain.status, plain.body.confirmed_at]).toEqual([201, null]);
    const sure = await api.root.post<EmailBody>(path, { email: 'sure@example.com', skip_confirmation: true });
    expect([sure.status, sure.body.confirmed_at]).toEqual([201, expect.any(String)]);
    const show = (email: string): Promise<{ status: number }> =>
      api.root.put(`/users/${jane.id}`, { public_email: email });
    expect((await show('plain@example.com')).status).toBe(400);
    expect((await show('sure@example.com')).status).toBe(200);
    for (const { body } of [plain, sure])
      expect((await api.root.delete(`${path}/${body.id}`)).status).toBe(204);
    expect((await api.root.get(`/users/${jane.id}`)).body).toMatchObject({ public_email: '' });
  });

  it('are visible to administrators and their user only', async () => {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { email: 'x@example.com' } : undefined;
      expect((await zoe.client.send(method, `/users/${jane.id}/emails`, body)).status).toBe(403);
      expect((await api.anonymous.send(method, '/user/emails', body)).status).toBe(401);
    }
    expect((await api.root.get('/users/999999/emails')).status).toBe(404);
    expect((await api.root.post('/users/999999/emails', { email: 'x@example.com' })).status).toBe(404);
  });

  it('are unique among users', async () => {
    const add = (email?: string): Promise<{ status: number; body: unknown }> =>
      jane.client.post('/user/emails', { email });
    expect((await add()).body).toEqual({ message: '400 (Bad request) "email" not given' });
    expect((await add('no address')).body).toEqual({ message: { email: ['is invalid'] } });
    const [first] = await api.sql<{ email: string }>('select email from users where id = $1', [zoe.id]);
    expect((await add(first?.email.toUpperCase())).body).toEqual(TAKEN);
    const race = await Promise.all(Array.from({ length: 5 }, () => add('Once@example.com')));
    expect(race.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });

  it('can be claimed by several users until one has confirmed it', async () => {
    const claim = { email: 'Shared@example.com' };
    expect((await jane.client.post('/user/emails', claim)).status).toBe(201);
    expect((await zoe.client.post('/user/emails', { email: 'shared@EXAMPLE.com' })).status).toBe(201);
    expect((await jane.client.post('/user/emails', claim)).body).toEqual(TAKEN);
    const others = [await createUser(api), await createUser(api), await createUser(api)];
    const sure = { ...claim, skip_confirmation: true };
    const race = await Promise.all(others.map(({ id }) => api.root.post(`/users/${id}/emails`, sure)));
    expect(race.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    const late = await createUser(api);
    expect((await late.client.post('/user/emails', claim)).body).toEqual(TAKEN);
    const attributes = { name: 'n', username: 'second-of-two', force_random_password: true };
    const taken = await api.root.post('/users', { ...attributes, ...claim });
    expect([taken.status, taken.body]).toEqual([409, { message: 'Email has already been taken' }]);
  });

  it('can become the primary address of a new user as long as they are only claimed', async () => {
    expect((await jane.client.post('/user/emails', { email: 'squat@example.com' })).status).toBe(201);
    const attributes = { name: 'n', username: 'rightful', force_random_password: true };
    expect((await api.root.post('/users', { ...attributes, email: 'squat@example.com' })).status).toBe(201);
  });
});
