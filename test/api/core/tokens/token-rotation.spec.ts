import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildToken, type BuiltToken } from '../../../support/builders/token.js';
import { borrowApi } from '../../../support/shared-api.js';

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

let api: TestApi;
let owner: AddedUser;
beforeAll(async () => {
  api = await borrowApi();
  owner = await addUser(api, 'owner');
});
afterAll(() => api.close());

describe('rotation', () => {
  it('replaces the token at once', async () => {
    const token = await buildToken(api, owner.id, { name: 'turn', scopes: ['api', 'read_user'] });
    const answer = await api
      .as(owner.token)
      .post<BuiltToken>(`/personal_access_tokens/${token.id}/rotate`, {});
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      name: 'turn',
      scopes: ['api', 'read_user'],
      user_id: owner.id,
      active: true,
      expires_at: day(7),
    });
    expect(answer.body.id).not.toBe(token.id);
    expect((await api.as(token.token).get('/version')).status).toBe(401);
    expect((await api.as(answer.body.token).get('/version')).status).toBe(200);
    const again = await api
      .as(answer.body.token)
      .post<BuiltToken>('/personal_access_tokens/self/rotate', { expires_at: day(20) });
    expect([again.status, again.body.expires_at]).toEqual([200, day(20)]);
    expect((await api.as(again.body.token).get('/version')).status).toBe(200);
  });

  it('of a revoked token revokes all its successors', async () => {
    const token = await buildToken(api, owner.id);
    const second = await api.root.post<BuiltToken>(`/personal_access_tokens/${token.id}/rotate`);
    const third = await api.as(second.body.token).post<BuiltToken>('/personal_access_tokens/self/rotate');
    const reused = await api.as(owner.token).post(`/personal_access_tokens/${token.id}/rotate`);
    expect(reused.status).toBe(400);
    expect(reused.body).toEqual({ message: '400 Bad request - Token already revoked' });
    expect((await api.as(third.body.token).get('/version')).status).toBe(401);
    const [event] = await api.sql<{ text: string }>(
      `select details->>'custom_message' as text from audit_events order by id desc limit 1`,
    );
    expect(event?.text).toContain(`Revoked personal access token with id ${third.body.id}`);
  });

  it('by a revoked token itself does so too', async () => {
    const token = await buildToken(api, owner.id);
    const second = await api.as(token.token).post<BuiltToken>('/personal_access_tokens/self/rotate');
    expect((await api.as(second.body.token).get('/version')).status).toBe(200);
    expect((await api.as(token.token).get('/version')).status).toBe(401);
    expect((await api.as(second.body.token).get('/version')).status).toBe(200);
    expect((await api.as(token.token).post('/personal_access_tokens/self/rotate')).status).toBe(401);
    expect((await api.as(second.body.token).get('/version')).status).toBe(401);
  });

  it('succeeds once with simultaneous requests, and the new token stays valid', async () => {
    const token = await buildToken(api, owner.id);
    const six = <T>(send: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 6 }, send));
    // Connections first: a request that arrives after the winner's commit is a reuse, not a race.
    await six(() => api.as(owner.token).get('/version'));
    const answers = await six(() =>
      api.as(owner.token).post<BuiltToken>(`/personal_access_tokens/${token.id}/rotate`),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await api.as(winner?.body.token ?? '').get('/version')).status).toBe(200);
  });

  it('that arrives before another is committed only loses the race', async () => {
    const token = await buildToken(api, owner.id);
    const rotate = (): Promise<Answer<BuiltToken>> =>
      api.as(owner.token).post<BuiltToken>(`/personal_access_tokens/${token.id}/rotate`);
    const both = await api.app.get(DataSource).transaction(async (tx) => {
      // Blocks the first rotation: it has revoked the token, but cannot record it yet.
      await tx.query('lock table audit_events in share mode');
      const first = rotate();
      await sleep(200);
      const second = rotate();
      await sleep(200);
      return [first, second];
    });
    const [won, lost] = await Promise.all(both);
    expect([won?.status, lost?.status]).toEqual([200, 400]);
    const { token: successor = '' } = won?.body ?? {};
    expect((await api.as(successor).get('/version')).status).toBe(200);
    expect((await rotate()).status).toBe(400);
    expect((await api.as(successor).get('/version')).status).toBe(401);
  });

  it('only loses the race if it arrives before the response to another was sent', async () => {
    const token = await buildToken(api, owner.id);
    const rotate = (): Promise<Answer<BuiltToken>> =>
      api.as(owner.token).post<BuiltToken>(`/personal_access_tokens/${token.id}/rotate`);
    // The first rotation is committed, and recorded late: the second finds the record, but came after the
    // recorded time.
    await api.sql(
      `create function take_time() returns trigger language plpgsql as 'begin perform pg_sleep(0.6); return new; end'`,
    );
    await api.sql(
      'create trigger take_time before update of settled_at on personal_access_tokens for each row execute function take_time()',
    );
    const first = rotate();
    await sleep(300);
    const [won, lost] = await Promise.all([first, rotate()]);
    await api.sql('drop function take_time() cascade');
    expect([won.status, lost.status]).toEqual([200, 400]);
    expect((await api.as(won.body.token).get('/version')).status).toBe(200);
    expect((await rotate()).status).toBe(400);
    expect((await api.as(won.body.token).get('/version')).status).toBe(401);
  });

  it('requires the scope api', async () => {
    const token = await buildToken(api, owner.id, { scopes: ['read_api'] });
    expect((await api.as(token.token).post('/personal_access_tokens/self/rotate')).status).toBe(403);
  });
});
