import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import { PASSWORD } from '../support/builders/person.js';
import { addProtected } from '../support/builders/second-factor.js';
import { runCli, type CliRun } from '../support/cli.js';
import { PageClient } from '../support/page-client.js';

/** Commands refuse a key that differs from that of the service. */
const SECRETS_KEY = 'a key of the tests with 32 characters or more';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent', SECRETS_KEY });
});
afterAll(() => api.close());

const disable = (...args: string[]): Promise<CliRun> =>
  runCli(['user', 'disable-two-factor', ...args], {
    DATABASE_URL: api.databaseUrl,
    DATA_DIR: '/nonexistent',
    SECRETS_KEY,
  });

it('the command lets a user who lost phone and recovery codes sign in again', async () => {
  const { id } = await addProtected(api, 'stranded');
  const run = await disable('--username', 'Stranded');
  expect(run).toMatchObject({
    code: 0,
    stdout: 'Two-factor authentication of stranded is off\n',
    stderr: '',
  });
  const answer = await new PageClient(api.url).signIn('stranded', PASSWORD);
  expect([answer.status, answer.location]).toEqual([303, '/-/profile']);
  const left = `select (select count(*)::int from user_two_factors where user_id = $1) as factors,
    (select count(*)::int from two_factor_recovery_codes where user_id = $1 and used_at is null) as codes`;
  expect(await api.sql(left, [id])).toEqual([{ factors: 0, codes: 0 }]);
  const events = await api.sql<{ message: string }>(
    `select details->>'custom_message' as message from audit_events where entity_type = 'User' and entity_id = $1
     order by id desc limit 1`,
    [id],
  );
  expect(events).toEqual([{ message: 'Disabled two-factor authentication' }]);
});

it('the command reports users that it cannot help', async () => {
  await addProtected(api, 'twice');
  expect((await disable('--username', 'twice', '--json')).json()).toMatchObject({
    username: 'twice',
    two_factor_enabled: false,
  });
  expect(await disable('--username', 'twice')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'twice has no two-factor authentication\n',
  });
  expect(await disable('--username', 'nobody')).toMatchObject({
    code: 1,
    stderr: 'There is no user nobody\n',
  });
  expect(await disable()).toMatchObject({ code: 2, stdout: '' });
});
