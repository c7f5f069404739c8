import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { PruneBotsProcessor } from '#core/resource-tokens/expiry/prune-bots.processor.js';
import { AlertDesk } from '../../../support/alert-desk.js';
import type { TestApi } from '../../../support/api.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('the alert bot', () => {
  let api: TestApi;
  let bot: { readonly id: number };
  beforeAll(async () => {
    api = await borrowApi();
    const seats = (await api.root.get<{ active_users: number }>('/application/statistics')).body.active_users;
    const desk = await AlertDesk.open(api, { create_incident: true });
    await desk.send({ title: 'First' });
    [bot = { id: 0 }] = (await desk.incidents()).map(({ author }) => author);
    const after = await api.root.get<{ active_users: number }>('/application/statistics');
    expect(after.body.active_users).toBe(seats);
  });
  afterAll(() => api.close());

  it('is created only once, even for two simultaneous requests', async () => {
    const desks = await Promise.all([1, 2, 3].map(() => AlertDesk.open(api, { create_incident: true })));
    await api.sql(
      `update users set user_type = 'project_bot', username = 'former', email = 'former@x.test' where id = $1`,
      [bot.id],
    );
    await Promise.all(desks.map((desk) => desk.send({ title: 'At once' })));
    const authors = await Promise.all(desks.map(async (desk) => (await desk.incidents())[0]?.author));
    const rows = await api.sql<{ id: number }>(`select id from users where user_type = 'alert_bot'`);
    expect(authors.map((author) => author?.id)).toEqual(Array(3).fill(rows[0]?.id));
    bot = rows[0] ?? bot;
  });

  it('cannot sign in, and cannot be removed', async () => {
    const user = `/users/${bot.id}`;
    expect((await api.root.get<{ bot: boolean }>(user)).body.bot).toBe(true);
    for (const action of ['block', 'ban', 'deactivate'])
      expect([action, (await api.root.post(`${user}/${action}`)).status]).toEqual([action, 403]);
    expect((await api.root.delete(user)).status).toBe(403);
    const made = await api.root.post<{ token: string }>(`${user}/impersonation_tokens`, {
      name: 'As the bot',
      scopes: ['api'],
    });
    expect([made.status, (await api.as(made.body.token).get('/user')).status]).toEqual([201, 403]);
    const sudo = await api.root.get('/user', { Sudo: String(bot.id) });
    expect([sudo.status, sudo.body]).toEqual([
      403,
      { message: '403 Forbidden - This action cannot be performed by internal users' },
    ]);
    const { signal } = new AbortController();
    await api.app.get(PruneBotsProcessor, { strict: false }).process({}, { signal } as JobContext);
    expect((await api.root.get(user)).body).toMatchObject({ state: 'active' });
    await api.root.put(user, { password: 'a long password of a bot', skip_reconfirmation: true });
    const [row] = await api.sql<{ username: string }>('select username from users where id = $1', [bot.id]);
    const signIn = async (username: string, password: string): Promise<unknown> =>
      (await api.anonymous.post('/oauth/token', { grant_type: 'password', username, password })).body;
    expect(await signIn('root', 'correct horse battery')).toHaveProperty('access_token');
    const asBot = await signIn(row?.username ?? '', 'a long password of a bot');
    expect(asBot).toMatchObject({ error: 'invalid_grant' });
    expect(
      (await api.root.get<{ id: number }[]>('/users?exclude_internal=true&per_page=100')).body,
    ).not.toContainEqual(expect.objectContaining({ id: bot.id }));
  });
});
