import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { UnlockUnkeptJob } from '#core/ci/locking/unlock-unkept.job.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildPipeline } from '../../../support/builders/ci.js';
import { buildProject } from '../../../support/builders/project.js';
import { until } from '../../../support/until.js';

const SECRETS_KEY = Buffer.alloc(32, 5).toString('base64');

let api: TestApi;
let worker: TestApi;
beforeAll(async () => {
  api = await startApi({ PROCESS: 'api', SECRETS_KEY });
  await set({ keep_latest_artifact: false });
  worker = await startApi({ PROCESS: 'worker', SECRETS_KEY, DATABASE_URL: api.databaseUrl });
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const set = async (values: object): Promise<void> => {
  expect((await api.root.put('/application/settings', values)).status).toBe(200);
};

it('keeps the latest artifacts in a process for jobs alone once the setting says so', async () => {
  await set({ keep_latest_artifact: true });
  const { id } = await buildPipeline(api, (await buildProject(api.root)).id, { locked: true });
  await api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, UnlockUnkeptJob, {}));
  await until(
    async () =>
      (await api.sql('select from background_jobs where name = $1', [UnlockUnkeptJob.name])).length === 0,
  );
  expect(await api.sql('select locked from ci_pipelines where id = $1', [id])).toEqual([{ locked: true }]);
});

it('applies changed settings, limits and plans to the next job in a process for jobs alone', async () => {
  await set({ push_event_activities_limit: 17, license_plan: 'premium' });
  const former = worker.app.get(SettingsService).current.plan;
  await until(async () => {
    // Settings are read once a second at most.
    const { id } = await buildProject(api.root);
    await api.root.delete(`/projects/${id}`);
    await until(async () => (await api.root.get(`/projects/${id}`)).status === 404);
    return worker.app.get(SettingsService).values.push_event_activities_limit === 17;
  }, 4_000);
  expect([former, worker.app.get(SettingsService).current.plan]).toEqual(['ultimate', 'premium']);
});
