import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { PasswordWork } from '#kernel/crypto/password-work.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { PASSWORD } from '../../../support/builders/person.js';
import { isWrong, SignInDesk } from '../../../support/builders/sign-in-desk.js';
import type { PageReply } from '../../../support/page-client.js';
import { isInRequest } from '../../../support/watched-reads.js';

let api: TestApi;
let desk: SignInDesk;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent' });
  desk = new SignInDesk(api);
  await desk.put({ throttle_protected_paths_enabled: false });
});
afterAll(() => api.close());

describe('a wrong password', () => {
  it('cannot be distinguished from an unknown user', async () => {
    const user = await desk.person();
    const [known, unknown] = [
      await desk.visitor().signIn(user.username, 'wrong'),
      await desk.visitor().signIn('nobody-at-all', 'wrong'),
    ];
    expect([isWrong(known), isWrong(unknown)]).toEqual([true, true]);
    const shape = ({ text }: PageReply): string =>
      text
        .replaceAll(user.username, 'X')
        .replaceAll('nobody-at-all', 'X')
        .replace(/value="[\w-]{43}"/, '');
    expect(shape(unknown)).toBe(shape(known));
    expect(known.text).toContain('<title>Errors: Sign in - Forgeplane</title>');
    expect(known.text).not.toContain('value="wrong"');
  });

  it('costs as many statements as an unknown user', async () => {
    const user = await desk.person();
    const dataSource = api.app.get(DataSource);
    const { logger } = dataSource;
    const statements = async (login: string): Promise<string[]> => {
      const seen: string[] = [];
      // Jobs run in the meantime: their statements do not belong to the sign-in.
      const record = (text: string): void => {
        if (isInRequest()) seen.push(text.slice(0, 40));
      };
      Object.assign(dataSource, { logger: { ...logger, logQuery: record, log() {} } });
      try {
        await desk.visitor().signIn(login, 'wrong');
      } finally {
        Object.assign(dataSource, { logger });
      }
      return seen;
    };
    const forKnown = await statements(user.username);
    expect(forKnown).not.toEqual([]);
    expect(await statements('nobody-at-all')).toEqual(forKnown);
  });

  it('locks the account for ten minutes at the tenth failure', async () => {
    const user = await desk.person();
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(isWrong(await desk.visitor().signIn(user.username, 'wrong'))).toBe(true);
      expect(await desk.rowOf(user.id)).toMatchObject({ failed_attempts: attempt });
    }
    expect((await desk.rowOf(user.id)).locked_at).not.toBeNull();
    expect(isWrong(await desk.visitor().signIn(user.username, PASSWORD))).toBe(true);
    expect((await desk.rowOf(user.id)).failed_attempts).toBe(10);
    await api.sql(`update users set locked_at = now() - interval '10 minutes 1 second' where id = $1`, [
      user.id,
    ]);
    expect(isWrong(await desk.visitor().signIn(user.username, 'wrong'))).toBe(true);
    expect(await desk.rowOf(user.id)).toMatchObject({ failed_attempts: 1, locked_at: null });
    expect((await desk.visitor().signIn(user.username, PASSWORD)).status).toBe(303);
    expect(await desk.rowOf(user.id)).toMatchObject({ failed_attempts: 0, locked_at: null });
  });

  it('counts once for each of several simultaneous requests', async () => {
    const user = await desk.person();
    const clients = Array.from({ length: 14 }, () => desk.visitor());
    await Promise.all(clients.map((client) => client.get('/users/sign_in')));
    const fields = { 'user[login]': user.username, 'user[password]': 'wrong' };
    await Promise.all(clients.map((client) => client.submit('/users/sign_in', fields)));
    const row = await desk.rowOf(user.id);
    expect([row.failed_attempts, row.locked_at !== null]).toEqual([10, true]);
  });

  it('leaves nothing to learn from guesses that are checked at the same time', async () => {
    const verify = jest.spyOn(PasswordWork.prototype, 'run');
    const user = await desk.person();
    for (const state of ['two_factor_enabled = true', `state = 'blocked'`, 'two_factor_enabled = false']) {
      await api.sql(
        `update users set state = 'active', failed_attempts = 0, locked_at = null where id = $1`,
        [user.id],
      );
      await api.sql(`update users set ${state} where id = $1`, [user.id]);
      verify.mockImplementationOnce(async () => {
        await api.sql('update users set failed_attempts = 10, locked_at = now() where id = $1', [user.id]);
        return true;
      });
      expect([state, isWrong(await desk.visitor().signIn(user.username, PASSWORD))]).toEqual([state, true]);
    }
    verify.mockRestore();
  });

  it('is logged', async () => {
    const user = await desk.person();
    await desk.visitor().signIn(user.username, 'wrong');
    await desk.visitor().signIn('nobody hunter2', 'wrong');
    const events = await api.sql<{
      author_id: number;
      entity_type: string;
      details: Record<string, unknown>;
    }>(
      `select author_id, entity_type, details from audit_events
       where details->>'custom_message' = 'Failed to sign in with a password' order by id desc limit 2`,
    );
    expect(events).toMatchObject([
      {
        author_id: -1,
        entity_type: 'Gitlab::Audit::InstanceScope',
        details: { target_details: 'Unknown user' },
      },
      {
        author_id: -1,
        entity_type: 'User',
        details: { entity_path: user.username, ip_address: '127.0.0.1' },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });
});

describe('a client that guesses passwords', () => {
  afterEach(() => desk.put({ throttle_protected_paths_enabled: false }));

  it('is rate-limited by address', async () => {
    const user = await desk.person();
    await desk.put({
      throttle_protected_paths_enabled: true,
      throttle_protected_paths_requests_per_period: 3,
      throttle_protected_paths_period_in_seconds: 600,
    });
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(isWrong(await desk.visitor().signIn('nobody-at-all', 'wrong'))).toBe(true);
    const refused = await desk.visitor().signIn(user.username, PASSWORD);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(refused.headers.get('ratelimit-name')).toBe('throttle_protected_paths');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await desk.visitor().get('/users/sign_in')).status).toBe(200);
  });

  it('receives a response, whatever it sends', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    await client.get('/users/sign_in');
    const attempts: [string, string][][] = [
      [
        ['user[login][]', user.username],
        ['user[password]', PASSWORD],
      ],
      [
        ['user[login][a]', user.username],
        ['user[password]', PASSWORD],
      ],
      [
        ['user[login]', user.username],
        ['user[password][]', PASSWORD],
      ],
      [['user', user.username]],
      [['user[]', user.username]],
      [],
      [
        ['user[login]', ''],
        ['user[password]', ''],
      ],
      [
        ['user[login]', user.username],
        ['user[password]', ''],
      ],
      [
        ['user[login]', `${user.username}\0`],
        ['user[password]', PASSWORD],
      ],
      [
        ['user[login]', `' or 1=1 --`],
        ['user[password]', PASSWORD],
      ],
      [
        ['user[login]', '%'],
        ['user[password]', PASSWORD],
      ],
      [
        ['user[login]', 'x'.repeat(10_000)],
        ['user[password]', PASSWORD],
      ],
      [
        ['user[login]', user.username],
        ['user[password]', 'x'.repeat(1_000_000)],
      ],
      [
        ['user[login]', user.username],
        ['user[password]', PASSWORD],
        ['user[remember_me]', 'perhaps'],
      ],
    ];
    for (const fields of attempts) {
      const answer = await client.submit('/users/sign_in', fields);
      expect([fields[0], answer.status === 400 || isWrong(answer)]).toEqual([fields[0], true]);
    }
    expect(await api.sql('select id from sessions where user_id = $1', [user.id])).toEqual([]);
  });
});

describe('an unusual account', () => {
  it('is only reported after the correct password', async () => {
    const user = await desk.person();
    const texts = {
      blocked: 'has been blocked',
      banned: 'has been blocked',
      ldap_blocked: 'has been blocked',
      blocked_pending_approval: 'pending approval',
    };
    for (const [state, text] of Object.entries(texts)) {
      await api.sql('update users set state = $2 where id = $1', [user.id, state]);
      expect([state, isWrong(await desk.visitor().signIn(user.username, 'wrong'))]).toEqual([state, true]);
      const answer = await desk.visitor().signIn(user.username, PASSWORD);
      expect([state, answer.status, answer.text.includes(text)]).toEqual([state, 422, true]);
    }
    await api.sql(`update users set state = 'active', confirmed_at = null where id = $1`, [user.id]);
    expect((await desk.visitor().signIn(user.username, PASSWORD)).text).toContain(
      'confirm your e-mail address',
    );
    expect(await api.sql('select id from sessions where user_id = $1', [user.id])).toEqual([]);
  });

  it('is reactivated if it was deactivated', async () => {
    const user = await desk.person();
    await api.sql(`update users set state = 'deactivated' where id = $1`, [user.id]);
    const client = desk.visitor();
    expect(isWrong(await client.signIn(user.username, 'wrong'))).toBe(true);
    expect((await desk.rowOf(user.id)).state).toBe('deactivated');
    expect((await client.signIn(user.username, PASSWORD)).status).toBe(303);
    expect((await desk.rowOf(user.id)).state).toBe('active');
    expect((await client.get('/-/profile')).text).toContain('Your account is active again.');
  });

  it('of a bot, the ghost user, or a user without a password cannot sign in', async () => {
    const user = await desk.person();
    await api.sql('update users set password_digest = null where id = $1', [user.id]);
    expect(isWrong(await desk.visitor().signIn(user.username, ''))).toBe(true);
    expect(isWrong(await desk.visitor().signIn('ghost', PASSWORD))).toBe(true);
    const bot = await desk.person();
    await api.sql(`update users set user_type = 'project_bot' where id = $1`, [bot.id]);
    expect(isWrong(await desk.visitor().signIn(bot.username, PASSWORD))).toBe(true);
  });

  it('must provide its second factor, and has no session before', async () => {
    const user = await desk.person();
    await api.sql('update users set two_factor_enabled = true where id = $1', [user.id]);
    const client = desk.visitor();
    const answer = await client.signIn(user.username, PASSWORD);
    expect([answer.status, answer.location]).toEqual([303, '/users/sign_in/second_factor']);
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^_service_pending=[\w-]+; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await api.sql('select id from sessions where user_id = $1', [user.id])).toEqual([]);
    expect((await client.get('/-/profile')).location).toBe('/users/sign_in');
  });

  it('has no sign-in form if passwords are turned off', async () => {
    const user = await desk.person();
    const client = desk.visitor();
    await client.get('/users/sign_in');
    await desk.put({ password_authentication_enabled_for_web: false });
    try {
      const fields = { 'user[login]': user.username, 'user[password]': PASSWORD };
      expect(isWrong(await client.submit('/users/sign_in', fields))).toBe(true);
      expect((await client.get('/users/sign_in')).text).not.toContain('user[password]');
    } finally {
      await desk.put({ password_authentication_enabled_for_web: true });
    }
  });
});
