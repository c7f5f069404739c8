import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { PASSWORD } from '../../../support/builders/person.js';
import { isWrong, sessionLine, SignInDesk } from '../../../support/builders/sign-in-desk.js';

let api: TestApi;
let desk: SignInDesk;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent' });
  desk = new SignInDesk(api);
  await desk.put({ throttle_protected_paths_enabled: false });
});
afterAll(() => api.close());

describe('signing out', () => {
  it('ends the session', async () => {
    const user = await desk.person();
    for (const fields of [{}, { _method: 'delete' }]) {
      const client = desk.visitor();
      await client.signIn(user.username, PASSWORD);
      const secret = client.jar.get('_service_session') ?? '';
      await client.get('/-/profile');
      const answer = await client.submit('/users/sign_out', fields);
      expect([answer.status, answer.location]).toEqual([303, '/users/sign_in']);
      expect(sessionLine(answer)).toBe('_service_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
      expect((await api.anonymous.get('/user', { Cookie: `_service_session=${secret}` })).status).toBe(401);
      expect((await client.get('/users/sign_in')).text).toContain('You have signed out.');
    }
  });

  it('cannot be done by a link', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    await client.signIn(user.username, PASSWORD);
    expect((await client.get('/users/sign_out')).status).toBe(405);
    expect((await client.submit('/users/sign_out', { authenticity_token: 'x' })).status).toBe(422);
    expect((await client.get('/-/profile')).status).toBe(200);
  });
});

describe('changing the password', () => {
  const NEXT = 'another horse battery';
  const fields = (current: string, password: string, again = password): Record<string, string> => ({
    _method: 'put',
    'user[current_password]': current,
    'user[password]': password,
    'user[password_confirmation]': again,
  });

  it('ends all other sessions, and renews the current one', async () => {
    const user = await desk.person();
    const [client, other] = [desk.visitor(), desk.visitor()];
    await client.signIn(user.username, PASSWORD, { 'user[remember_me]': '1' });
    await other.signIn(user.username, PASSWORD);
    await client.get('/-/profile/password/edit');
    const former = client.jar.get('_service_session') ?? '';
    const answer = await client.submit('/-/profile/password/edit', fields(PASSWORD, NEXT));
    expect([answer.status, answer.location]).toEqual([303, '/-/profile']);
    expect(sessionLine(answer)).toContain('Max-Age=1209600');
    expect((await client.get('/-/profile')).text).toContain('Your password has been changed.');
    expect((await other.get('/-/profile')).status).toBe(302);
    expect((await api.anonymous.get('/user', { Cookie: `_service_session=${former}` })).status).toBe(401);
    expect(isWrong(await desk.visitor().signIn(user.username, PASSWORD))).toBe(true);
    expect((await desk.visitor().signIn(user.username, NEXT)).status).toBe(303);
  });

  it('is refused with its errors', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    await client.signIn(user.username, PASSWORD);
    await client.get('/-/profile/password/edit');
    for (const [sent, text] of [
      [fields('wrong', NEXT), 'Current password is incorrect'],
      [fields(PASSWORD, 'short'), 'Password is too short'],
      [fields(PASSWORD, 'x'.repeat(200)), 'Password is too long'],
      [fields(PASSWORD, ''), 'Password can&#39;t be blank'],
      [fields(PASSWORD, PASSWORD), 'Password must differ'],
      [fields(PASSWORD, NEXT, 'else'), 'Password confirmation doesn&#39;t match'],
      [{ _method: 'put' }, 'Current password is incorrect'],
    ] as const) {
      const answer = await client.submit('/-/profile/password/edit', sent);
      expect([text, answer.status, answer.text.includes(text)]).toEqual([text, 422, true]);
    }
    expect((await desk.rowOf(user.id)).failed_attempts).toBe(2);
    expect((await client.get('/-/profile')).status).toBe(200);
  });

  it('is required on all pages while the current one has expired', async () => {
    const user = await desk.person();
    await api.sql('update users set password_expires_at = now() where id = $1', [user.id]);
    const client = desk.visitor();
    await client.get('/-/profile/emails');
    await client.signIn(user.username, PASSWORD);
    const led = await client.get('/-/profile/emails');
    expect([led.status, led.location]).toEqual([302, '/-/profile/password/new']);
    expect((await client.get('/-/profile/password/edit')).location).toBe('/-/profile/password/new');
    expect((await client.get('/-/profile/password/new')).status).toBe(200);
    await client.get('/-/profile/emails');
    await client.get('/-/profile/password/new');
    const answer = await client.submit('/-/profile/password/new', fields(PASSWORD, NEXT));
    expect([answer.status, answer.location]).toEqual([303, '/-/profile/emails']);
    expect((await client.get('/-/profile/emails')).status).toBe(200);
  });
});
