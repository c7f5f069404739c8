import type { ExampleWorld, Made } from './desk.js';

/** The configuration of the pipelines: one with a job, a report, a deployment and a pipeline below it. */
export const CONFIGURATION = `
stages: [build, test, deploy]
compile: { stage: build, script: [make], artifacts: { paths: [bin/], expire_in: 1 week }, tags: [linux] }
check: { stage: test, script: [make check] }
docs: { stage: test, trigger: { include: docs.yml } }
ship: { stage: deploy, script: [make deploy], environment: { name: production, url: https://engine.example.com } }
`;

/** Commits, files, branches, tags and the rules that protect them. */
export async function showRepository({ ada, at, desk }: ExampleWorld): Promise<void> {
  const repository = `${at}/repository`;
  const { body: commit } = await ada.shown.post<{ id: string; parent_ids: string[] }>(
    `${repository}/commits`,
    {
      branch: 'main',
      commit_message: 'Build the engine\n\nIt only idles so far.',
      actions: [
        { action: 'create', file_path: 'src/engine.rb', content: "puts 'ready'\n" },
        { action: 'create', file_path: 'Makefile', content: 'deploy:\n\ttrue\n' },
      ],
    },
  );
  await ada.shown.post(`${repository}/files/docs%2Fstart.md`, {
    ...{ branch: 'main', content: '# How to start\n', commit_message: 'Tell how to start' },
  });
  await ada.shown.post(`${repository}/branches?branch=quieter&ref=main`);
  await ada.shown.post(`${repository}/tags`, { tag_name: 'v1.0', ref: 'main', message: 'The first release' });
  await ada.shown.post(`${repository}/commits/${commit.id}/comments`, {
    ...{ note: 'Why Ruby?', path: 'src/engine.rb', line: 1, line_type: 'new' },
  });
  await ada.shown.post(`${at}/statuses/${commit.id}`, {
    ...{ state: 'success', name: 'benchmark', ref: 'main', description: 'Fast enough', coverage: 87.5 },
    target_url: 'https://bench.example.com/42',
  });
  for (const path of [
    'commits',
    `commits/${commit.id}`,
    `commits/${commit.id}/diff`,
    `commits/${commit.id}/refs`,
    `commits/${commit.id}/sequence`,
    `compare?from=${commit.parent_ids[0]}&to=${commit.id}`,
    'contributors',
    'files/src%2Fengine.rb?ref=main',
    'files/src%2Fengine.rb/blame?ref=main',
    'merge_base?refs[]=main&refs[]=quieter',
    'tree?path=src',
  ])
    await ada.shown.get(`${repository}/${path}`);
  const { body: tree } = await desk.api.root.get<{ id: string }[]>(`${repository}/tree?path=src`);
  await ada.shown.get(`${repository}/blobs/${tree[0]?.id}`);
  await ada.shown.post(`${repository}/commits/${commit.id}/revert`, { branch: 'quieter' });
  await ada.shown.post(`${at}/protected_branches`, {
    name: 'release/*',
    allowed_to_push: [{ access_level: 40 }],
  });
  await ada.shown.post(`${at}/protected_tags`, { name: 'v*', create_access_level: 40 });
  await desk.when(`${at}/languages`, (languages) => 'Ruby' in languages);
  await ada.shown.get(`${at}/languages`);
}

/** Merge requests: changes, approval, merging. */
export async function showMergeRequests({ ada, grace, at, desk, group }: ExampleWorld): Promise<void> {
  await ada.shown.post(`${at}/approvals`, { reset_approvals_on_push: true });
  await ada.shown.post(`${at}/approval_rules`, { name: 'Owners', approvals_required: 1, user_ids: [ada.id] });
  await desk.make(`${at}/repository/commits`, {
    ...{ branch: 'warm-start', start_branch: 'main', commit_message: 'Warm the engine up first' },
    actions: [{ action: 'update', file_path: 'src/engine.rb', content: "puts 'warm'\nputs 'ready'\n" }],
  });
  const { body: made } = await grace.shown.post<Made>(`${at}/merge_requests`, {
    ...{ source_branch: 'warm-start', target_branch: 'main', title: 'Warm the engine up first' },
    ...{ description: 'Closes #1', labels: 'bug', assignee_ids: [grace.id], reviewer_ids: [ada.id] },
    remove_source_branch: true,
  });
  const mine = `${at}/merge_requests/${made.iid}`;
  await desk.when(mine, ({ merge_status: status }) => !/check/.test(String(status)));
  const { body: versions } = await ada.shown.get<{ id: number }[]>(`${mine}/versions`);
  await ada.shown.post(`${mine}/approve`);
  for (const path of [
    `${mine}/versions/${versions[0]?.id}`,
    `${mine}/approval_state`,
    `${mine}/changes`,
    `${mine}/commits`,
    `${mine}/merge_ref`,
    `${mine}/reviewers`,
    `${at}/merge_requests`,
    `${at}/issues/1/closed_by`,
    `/groups/${group}/merge_requests`,
  ])
    await ada.shown.get(path);
  await ada.shown.put(`${mine}/rebase`);
}
