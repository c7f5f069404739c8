import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FanOutProcessor } from '../../../../src/features/notifications/mails/jobs/fan-out.processor.js';
import type { FanOutPayload } from '../../../../src/features/notifications/mails/jobs/fan-out.job.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';

const MEMBERS = 250;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Forge <noreply@forge.test>' });
});
afterAll(() => api.close());

it('mails of an event with many recipients go a hundred at a time, so that those of others come between', async () => {
  const group = await buildGroup(api);
  const project = await buildProject(api.root, { namespace_id: group.id });
  const { iid } = await buildIssue(api.root, project.id);
  await api.sql(
    `insert into users (username, name, email, confirmed_at)
     select 'many-' || n, 'Many', 'many-' || n || '@example.com', now() from generate_series(1, ${MEMBERS}) n`,
  );
  await api.sql(
    `insert into members (user_id, source_type, source_id, access_level)
     select id, 'Namespace', $1, 30 from users where username like 'many-%'`,
    [group.id],
  );
  expect((await api.root.post('/admin/background_jobs/queues/notifications/pause')).status).toBe(201);
  const written = await api.root.post(`/projects/${project.id}/issues/${iid}/notes`, { body: '@all' });
  expect(written.status).toBe(201);
  const asked = await api.sql<{ payload: FanOutPayload }>(
    `select payload from background_jobs where name = 'notifications.fan-out' order by id desc limit 1`,
  );
  await api.app.get(FanOutProcessor).process(asked[0]?.payload as FanOutPayload);
  const mails = await api.sql<{ seconds: number }>(
    `select extract(epoch from run_at - min(run_at) over ())::float8 as seconds from background_jobs
     where name = 'notifications.deliver' order by id`,
  );
  const batches = mails.map(({ seconds }) => Math.round(seconds / 5));
  expect(batches.map(String).join('')).toBe('0'.repeat(100) + '1'.repeat(100) + '2'.repeat(50));
});
