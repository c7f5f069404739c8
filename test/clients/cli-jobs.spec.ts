import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import { runCli, type CliRun } from '../support/cli.js';

/** Commands refuse a key that differs from that of the service. */
const SECRETS_KEY = 'a key of the tests with 32 characters or more';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent', SECRETS_KEY });
});
afterAll(() => api.close());

const jobs = (...args: string[]): Promise<CliRun> =>
  runCli(['jobs', ...args], { DATABASE_URL: api.databaseUrl, DATA_DIR: '/nonexistent', SECRETS_KEY });

const addFailed = async (): Promise<number> => {
  const [row] = await api.sql<{ id: number }>(
    `insert into background_jobs (queue, name, payload, state, attempt, failed_at, error_class, error_message)
     values ('mail', 'mail.other', '{"id": 1}', 'failed', 5, now(), 'Error', 'no answer') returning id`,
  );
  return row?.id ?? 0;
};

const audited = (): Promise<unknown[]> =>
  api.sql(`select details ->> 'custom_message' as message, details ->> 'author_name' as author from audit_events
    where details ->> 'target_type' like 'Background%' order by id`);

it('the jobs command lists queues and jobs, retries, discards, pauses and resumes, with an audit log', async () => {
  const [again, gone] = [await addFailed(), await addFailed()];
  expect((await jobs('list', '--queue', 'mail')).stdout).toMatch(
    /^mail: 0 waiting, 0 running, 0 delayed, 2 failed$/m,
  );
  expect((await jobs('list', '--state', 'failed')).stdout).toContain(`${again} mail.other (mail) failed at `);
  expect((await jobs('pause', '--queue', 'mail')).stdout).toBe('Queue mail is paused\n');
  expect((await jobs('pause', '--queue', 'mail')).stdout).toBe('Queue mail was paused already\n');
  expect((await jobs('retry', '--id', String(again))).stdout).toBe(`mail.other ${again} will run again\n`);
  expect((await jobs('discard', '--id', String(gone))).stdout).toBe(`mail.other ${gone} was discarded\n`);
  expect((await jobs('list', '--queue', 'mail')).stdout).toMatch(
    /^mail: 1 waiting .* 0 failed, paused since /m,
  );
  await api.sql('delete from background_jobs where id = $1', [again]);
  expect((await jobs('resume', '--queue', 'mail')).stdout).toBe('Queue mail is resumed\n');
  const author = 'The command line';
  expect(await audited()).toEqual([
    { message: 'Paused background queue mail', author },
    { message: 'Retried background job mail.other', author },
    { message: 'Discarded background job mail.other', author },
    { message: 'Resumed background queue mail', author },
  ]);
});

it('the jobs command reports missing jobs and queues', async () => {
  expect(await jobs('retry', '--id', '999999')).toMatchObject({
    code: 1,
    stderr: '404 Background Job Not Found\n',
  });
  expect(await jobs('discard', '--id', '999999')).toMatchObject({ code: 1 });
  expect(await jobs('pause', '--queue', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no queue nothing, only alerts, .*\bmail\b/),
  });
  for (const more of [[], ['--state', 'failed']])
    expect(await jobs('list', '--queue', 'mails', ...more)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There is no queue mails, only alerts, .*\bmail\b/),
    });
  expect(await jobs('retry', '--id', 'x; drop')).toMatchObject({ code: 2 });
  expect(await jobs('list', '--state', 'lost')).toMatchObject({ code: 2 });
});
