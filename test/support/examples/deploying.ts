import type { ExampleWorld, Made } from './desk.js';

/** Environments, deployments with their approval, and freeze periods. */
export async function showDeploying({ desk, ada, grace, at }: ExampleWorld): Promise<void> {
  await desk.make(`${at}/environments`, { name: 'staging', external_url: 'https://staging.example.com' });
  await ada.shown.post(`${at}/protected_environments`, {
    ...{ name: 'production', deploy_access_levels: [{ access_level: 30 }] },
    approval_rules: [{ user_id: ada.id, required_approvals: 1 }],
  });
  const { body: commits } = await desk.api.root.get<{ id: string }[]>(`${at}/repository/commits`);
  const deployment = { sha: commits[0]?.id, ref: 'main', tag: false };
  const { body: staged } = await grace.shown.post<Made>(`${at}/deployments`, {
    ...{ ...deployment, environment: 'staging', status: 'running' },
  });
  await desk.send('PUT', `${at}/deployments/${staged.id}`, { status: 'success' });
  const { body: environments } = await ada.shown.get<Made[]>(`${at}/environments?name=staging`);
  await ada.shown.get(`${at}/environments/${environments[0]?.id}`);
  await desk.make(`${at}/environments`, { name: 'review/warm-start' });
  await ada.shown.delete(`${at}/environments/review_apps?dry_run=true`);
  const weekend = { freeze_start: '0 18 * * 5', freeze_end: '0 6 * * 1', cron_timezone: 'Europe/Berlin' };
  await ada.shown.post(`${at}/freeze_periods`, weekend);
  // A year long, so that the response is the same on every day.
  const calm = await desk.make('/projects', { name: 'Calm', path: 'calm' });
  const always = { freeze_start: '0 0 1 1 *', freeze_end: '59 23 31 12 *', cron_timezone: 'UTC' };
  await desk.make(`/projects/${calm.id}/freeze_periods`, always);
  await desk.show(`/projects/${calm.id}/freeze_periods/status`);
}

/** The deployment of a job, and its approvers. */
export async function showApproval({ desk, ada, at }: ExampleWorld): Promise<void> {
  await desk.when(`${at}/deployments?environment=production&status=blocked`, () => true);
  const { body } = await desk.api.root.get<Made[]>(`${at}/deployments?environment=production&status=blocked`);
  await ada.shown.post(`${at}/deployments/${body[0]?.id}/approval`, {
    ...{ status: 'approved', comment: 'Looks good to me' },
  });
}
