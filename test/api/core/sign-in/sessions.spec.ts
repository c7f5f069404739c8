import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Links } from '#kernel/http/links.js';
import { Transactions } from '#kernel/database/transactions.js';
import { SessionsService, type StartedSession } from '#core/sessions/sessions.service.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildToken } from '../../../support/builders/token.js';

const UNAUTHORIZED = { message: '401 Unauthorized' };

let api: TestApi;
let user: AddedUser;
beforeAll(async () => {
  api = await startApi();
  user = await addUser(api, 'somebody');
});
afterAll(() => api.close());

const status = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
  (await api.anonymous.get(path, headers)).status;

describe('a session', () => {
  let session: StartedSession;
  let cookie: Record<string, string>;
  let sessions: SessionsService;
  const inTransaction = <T>(work: Parameters<Transactions['run']>[0]): Promise<T> =>
    api.app.get(Transactions).run(work) as Promise<T>;
  const start = (userId: number): Promise<StartedSession> =>
    inTransaction((tx) => sessions.create(tx, userId, '127.0.0.1', 'jest'));
  const cookieOf = ({ secret }: StartedSession): Record<string, string> => ({
    Cookie: `theme=dark; _service_session=${secret}`,
  });
  beforeAll(async () => {
    sessions = api.app.get(SessionsService, { strict: false });
    session = await start(user.id);
    cookie = cookieOf(session);
  });

  it('allows reading', async () => {
    expect(await status('/version', cookie)).toBe(200);
    expect((await api.anonymous.send('HEAD', '/version', undefined, cookie)).status).toBe(200);
    expect(await status('/version', { Cookie: '_service_session=unknown' })).toBe(401);
    expect(await status('/personal_access_tokens/self', cookie)).toBe(400);
  });

  it('allows writing with its own token only', async () => {
    const spare = await buildToken(api, user.id);
    const path = `/personal_access_tokens/${spare.id}`;
    const csrf = session.csrfToken;
    const other = await start(user.id);
    for (const header of ['', 'wrong', other.csrfToken, session.secret]) {
      const answer = await api.anonymous.delete(path, { ...cookie, 'X-CSRF-Token': header });
      expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
    }
    expect((await api.anonymous.delete(path, cookie)).status).toBe(401);
    expect((await api.anonymous.delete(path, { ...cookie, 'X-CSRF-Token': csrf })).status).toBe(204);
    const another = await buildToken(api, user.id);
    const body = { authenticity_token: csrf };
    const rotated = await api.anonymous.post(`/personal_access_tokens/${another.id}/rotate`, body, cookie);
    expect(rotated.status).toBe(200);
  });

  it('allows writes only from pages of this site, whatever token is sent', async () => {
    const spare = await buildToken(api, user.id);
    const path = `/personal_access_tokens/${spare.id}`;
    const own = { ...cookie, 'X-CSRF-Token': session.csrfToken };
    for (const foreign of [
      { Origin: 'https://evil.example' },
      { Origin: 'http://localhost:1' },
      { Origin: 'not a url' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const answer = await api.anonymous.delete(path, { ...own, ...foreign });
      expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
      expect(await status('/version', { ...own, ...foreign })).toBe(200);
    }
    const ours = { Origin: new URL(api.app.get(Links).base).origin };
    expect((await api.anonymous.delete(path, { ...own, ...ours })).status).toBe(204);
  });

  it('is ignored if a token is sent too', async () => {
    expect(await status('/version', { ...cookie, 'PRIVATE-TOKEN': 'unknown' })).toBe(401);
  });

  it('does not allow sudo', async () => {
    const admin = await start(1);
    const answer = await api.anonymous.get('/version', { ...cookieOf(admin), Sudo: 'somebody' });
    expect([answer.status, answer.body]).toEqual([
      403,
      {
        message: '403 Forbidden - Must be authenticated using an OAuth or Personal Access Token to use sudo',
      },
    ]);
    expect(await status('/deploy_tokens', cookieOf(admin))).toBe(200);
  });

  it('ends when it is revoked, alone or with all sessions of the user, or when it expires', async () => {
    const [one, two, three] = [await start(user.id), await start(user.id), await start(user.id)];
    await inTransaction((tx) => sessions.revoke(tx, one.id));
    expect(await status('/version', cookieOf(one))).toBe(401);
    expect(await status('/version', cookieOf(two))).toBe(200);
    await inTransaction((tx) => sessions.revokeAllOf(tx, user.id, three.id));
    expect(await status('/version', cookieOf(two))).toBe(401);
    expect(await status('/version', cookieOf(three))).toBe(200);
    await api.sql('update sessions set expires_at = now() where id = $1', [three.id]);
    expect(await status('/version', cookieOf(three))).toBe(401);
  });

  it('ends when the user gets a new password, is banned or removed', async () => {
    const person = await addUser(api, 'leaver');
    for (const change of [
      () => api.root.put(`/users/${person.id}`, { password: 'another horse battery' }),
      () => api.root.post(`/users/${person.id}/ban`),
      () => api.root.delete(`/users/${person.id}`),
    ]) {
      await start(person.id);
      expect((await change()).status).toBeLessThan(300);
      expect(await api.sql('select id from sessions where user_id = $1', [person.id])).toEqual([]);
    }
  });

  it('expires session_expire_delay minutes after its last use', async () => {
    const fresh = await start(user.id);
    const week = 10_080 * 60_000;
    expect(Math.abs(fresh.expiresAt.getTime() - Date.now() - week)).toBeLessThan(60_000);
    await api.sql(
      `update sessions set updated_at = now() - interval '11 minutes', expires_at = now() + interval '1 minute' where id = $1`,
      [fresh.id],
    );
    expect(await status('/version', cookieOf(fresh))).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [row] = await api.sql<{ expires_at: Date }>('select expires_at from sessions where id = $1', [
      fresh.id,
    ]);
    expect((row?.expires_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(week - 60_000);
  });

  it('is invalid once its user is blocked', async () => {
    const person = await addUser(api, 'session-person');
    const own = await start(person.id);
    expect(await status('/version', cookieOf(own))).toBe(200);
    await api.sql(`update users set state = 'blocked' where id = $1`, [person.id]);
    expect(await status('/version', cookieOf(own))).toBe(403);
  });

  it('is stored as a digest', async () => {
    const rows = await api.sql<{ found: boolean }>(
      `select bool_or(s::text like '%' || $1 || '%' or s::text like '%' || $2 || '%') as found from sessions s`,
      [session.secret, session.csrfToken],
    );
    expect(rows[0]?.found).toBe(false);
  });
});
