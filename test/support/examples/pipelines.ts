import { gzipSync } from 'node:zlib';
import { zipOf } from '../builders/artifacts.js';
import { CONFIGURATION } from './code.js';
import type { ExampleWorld, Made } from './desk.js';

/** Information that a runner sends about itself. */
const INFO = {
  name: 'forge-runner',
  version: '16.5.0',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'shell',
};

const REPORT = `<testsuite name="engine" tests="1" time="0.5"><testcase classname="Engine" name="starts" time="0.5"/></testsuite>`;

/** Pipelines from their configuration to their end, with a runner that takes their jobs. */
export async function showPipelines({ desk, ada, grace, at }: ExampleWorld): Promise<void> {
  await ada.shown.post(`${at}/ci/lint`, {
    content: CONFIGURATION.replace(/docs:.*\n/, ''),
    include_jobs: true,
  });
  await ada.shown.post(`${at}/variables`, {
    key: 'STAGE',
    value: 'production',
    environment_scope: 'production',
  });
  await desk.shown.post('/admin/ci/variables', { key: 'MIRROR', value: 'https://mirror.example.com' });
  const { runners_token: registration } = await desk.send('GET', at);
  const runner = {
    token: registration,
    description: 'Build machine',
    tag_list: ['linux'],
    run_untagged: true,
    info: INFO,
  };
  const { body: machine } = await desk.recorder
    .as(null)
    .post<{ id: number; token: string }>('/runners', runner);
  await desk.make(`${at}/repository/commits`, {
    ...{ branch: 'main', commit_message: 'Describe the pipeline' },
    actions: [
      { action: 'create', file_path: '.gitlab-ci.yml', content: CONFIGURATION },
      { action: 'create', file_path: 'docs.yml', content: 'write: { script: [make docs], tags: [docs] }\n' },
    ],
  });
  // Otherwise it would come before or after the next one.
  await desk.when(`${at}/pipelines?source=push`, () => true);
  const { body: created } = await grace.shown.post<Made>(`${at}/pipeline`, {
    ref: 'main',
    variables: [{ key: 'LEVEL', value: 'full' }],
  });
  const mine = `${at}/pipelines/${created.id}`;
  // The runner would take the jobs of the pipeline of the push.
  for (const { id } of (await desk.api.root.get<Made[]>(`${at}/pipelines`)).body)
    if (id !== created.id) await desk.make(`${at}/pipelines/${id}/cancel`);
  const { body: job } = await desk.recorder.as(null).post<{ id: number; token: string }>('/jobs/request', {
    ...{ token: machine.token, system_id: 's_1a2b3c', info: INFO },
  });
  await sendArtifacts(desk.api.url, job, await zipOf({ 'bin/engine': 'engine' }), 'artifacts.zip');
  const junit = { artifact_type: 'junit', artifact_format: 'gzip' };
  await sendArtifacts(desk.api.url, job, gzipSync(REPORT), 'junit.xml.gz', junit);
  await desk.send('PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' });
  const check = await desk.make('/jobs/request', { token: machine.token, system_id: 's_1a2b3c', info: INFO });
  await desk.send('PUT', `/jobs/${check.id}`, { token: check['token'], state: 'success' });
  await desk.when(`${mine}/bridges`, ({ downstream_pipeline: below }) => below !== null);
  for (const path of [
    `${at}/jobs/${job.id}`,
    `${at}/pipelines`,
    `${mine}/variables`,
    `${mine}/bridges`,
    `${mine}/test_report`,
    `${mine}/test_report_summary`,
    `${at}/runners`,
    `/runners/${machine.id}`,
    `/runners/${machine.id}/managers`,
    `${at}/job_token_scope`,
  ])
    await ada.shown.get(path);
  const library = await desk.make('/projects', { name: 'Library', path: 'library', visibility: 'public' });
  const allowlist = `${at}/job_token_scope/allowlist`;
  await desk.shown.post(allowlist, { target_project_id: library.id });
  await desk.show(allowlist);
  await desk.shown.post(`${at}/runners/reset_registration_token`);
}

async function sendArtifacts(
  url: string,
  job: { readonly id: number; readonly token: string },
  content: Buffer,
  filename: string,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)]), filename);
  const path = `/api/v4/jobs/${job.id}/artifacts?${new URLSearchParams(query).toString()}`;
  const answer = await fetch(url + path, { method: 'POST', headers: { 'JOB-TOKEN': job.token }, body: form });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** Packages that a project publishes. */
export async function showPackages({ desk, ada, at }: ExampleWorld): Promise<void> {
  const BINARY = { 'Content-Type': 'application/octet-stream' };
  const file = `${at}/packages/generic/engine/1.0.0/engine.tar`;
  await ada.shown.send('PUT', `${file}?select=package_file`, 'bytes', BINARY);
  const { body: packages } = await desk.api.root.get<Made[]>(`${at}/packages`);
  const id = packages[0]?.id;
  for (const path of [`${at}/packages`, `${at}/packages/${id}`, `${at}/packages/${id}/package_files`])
    await ada.shown.get(path);
  await ada.shown.post(`${at}/managed_licenses`, { name: 'MIT', approval_status: 'allowed' });
}
