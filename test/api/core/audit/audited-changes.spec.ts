import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { PruneMembersJob } from '#core/members/expiry/prune-members.job.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildProject } from '../../../support/builders/project.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let project: string;
beforeAll(async () => {
  api = await startApi();
  await api.root.put('/application/settings', { license_plan: 'ultimate' });
  project = `/projects/${(await buildProject(api.root)).id}`;
});
afterAll(() => api.close());

type Told = Record<string, unknown>;

/** What the events after some work tell, oldest first. */
async function told(path: string, work: () => Promise<unknown>): Promise<Told[]> {
  const [before] = (await api.root.get<{ id: number }[]>('/audit_events?per_page=1')).body;
  await work();
  const { body } = await api.root.get<{ id: number; details: Told }[]>(`${path}/audit_events`);
  const later = body.filter(({ id }) => id > (before?.id ?? 0)).toReversed();
  return later.map(({ details }) => details);
}

const changes = async (work: () => Promise<unknown>): Promise<unknown[]> =>
  (await told(project, work)).map(({ change, from, to }) => [change, from, to]);

it('name the system, and no address, where a job makes the change', async () => {
  const group = await buildGroup(api, {}, api.root);
  const user = await addUser(api, 'expiring');
  await api.root.post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 30 });
  await api.sql('update members set expires_at = current_date - 1 where user_id = $1', [user.id]);
  const events = await told(`/groups/${group.id}`, async () => {
    await api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, PruneMembersJob, {}));
    await until(
      async () => (await api.sql('select 1 from members where user_id = $1', [user.id])).length === 0,
    );
  });
  expect(events).toMatchObject([
    { custom_message: 'Membership expired', author_name: 'The system', ip_address: null, target_id: user.id },
  ]);
});

it('tell each changed setting of a project, whichever route changes it', async () => {
  const settings = { repository_access_level: 'private', only_allow_merge_if_pipeline_succeeds: true };
  expect(await changes(() => api.root.put(project, { ...settings, description: 'x' }))).toEqual([
    ['repository_access_level', 'enabled', 'private'],
    ['only_allow_merge_if_pipeline_succeeds', 'false', 'true'],
  ]);
  expect(await changes(() => api.root.put(project, settings))).toEqual([]);
  const scope = 'ci_inbound_job_token_scope_enabled';
  expect(await changes(() => api.root.put(project, { [scope]: false }))).toEqual([[scope, 'true', 'false']]);
  expect(
    await changes(() => api.root.send('PATCH', `${project}/job_token_scope`, { enabled: true })),
  ).toEqual([[scope, 'false', 'true']]);
  // What is refused is no change.
  expect(
    await changes(() => api.root.put(project, { merge_method: 'ff', path: '-', public_jobs: false })),
  ).toEqual([]);
});

it('tell changes of the settings of approvals', async () => {
  const change = (values: object) => (): Promise<unknown> => api.root.post(`${project}/approvals`, values);
  const values = { merge_requests_author_approval: false, approvals_before_merge: 2 };
  expect(await changes(change(values))).toEqual([
    ['approvals_before_merge', '0', '2'],
    ['merge_requests_author_approval', 'true', 'false'],
  ]);
  expect(await changes(change(values))).toEqual([]);
});

it('tell changes of the approval rules of a project', async () => {
  const rules = `${project}/approval_rules`;
  const messages = async (work: () => Promise<unknown>): Promise<unknown[]> =>
    (await told(project, work)).map((one) => [
      one['custom_message'],
      one['target_type'],
      one['target_details'],
    ]);
  const message = (what: string): unknown[] => [`Approval rule Two ${what}`, 'ApprovalRule', 'Two'];
  let id = 0;
  expect(
    await messages(async () => {
      id = Number((await api.root.post(rules, { name: 'Two', approvals_required: 2 })).body['id']);
    }),
  ).toEqual([message('created (approvals required: 2)')]);
  const update = (required: number) => (): Promise<unknown> =>
    api.root.put(`${rules}/${id}`, { approvals_required: required });
  expect(await messages(update(0))).toEqual([message('updated (approvals required: 0)')]);
  expect(await messages(update(0))).toEqual([]);
  expect(await messages(() => api.root.delete(`${rules}/${id}`))).toEqual([
    message('removed (approvals required: 0)'),
  ]);
});
