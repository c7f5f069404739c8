import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TestApi } from '../../../../support/api.js';
import { WorkingCopy } from '../../../../support/git.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { fillProject, type FilledProject } from '../../../../support/v4-server/filled-project.js';
import { V4Destination, type Line } from '../../../../support/v4-server/v4-destination.js';

// The requests of an existing v4 server that imports a group from this one, in their order, with what it
// needs from each response.
let api: TestApi;
let filled: FilledProject;
let destination: V4Destination;
let token: string;
let ofGroup: string;
let ofProject: string;

beforeAll(async () => {
  api = await borrowApi();
  filled = await fillProject(api);
  const { body } = await api.root.post<{ token: string }>(`/users/${filled.ada.id}/personal_access_tokens`, {
    name: 'migration',
    scopes: ['api', 'read_repository'],
  });
  token = body.token;
  destination = new V4Destination(api.url, token);
  ofGroup = `groups/${encodeURIComponent(filled.group.path)}`;
  ofProject = `projects/${filled.project.id}`;
});
afterAll(() => api.close());

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

it('first reports its version, the caller, and what exists', async () => {
  for (const path of ['version', 'metadata']) {
    const { version } = await destination.get<{ version: string }>(path);
    // Exports of projects, repositories as bundles, batches: everything that later versions have added.
    expect(version).toMatch(/^16\.\d+\.\d+/);
  }
  expect(await destination.get('personal_access_tokens/self')).toMatchObject({
    active: true,
    revoked: false,
    scopes: expect.arrayContaining(['api']),
    user_id: filled.ada.id,
  });
  const { group } = await destination.ask<{ group: { id: string } }>(
    'query($full_path: ID!) { group(fullPath: $full_path) { id full_path: fullPath visibility } }',
    { full_path: filled.group.path },
  );
  // The client takes its number from the last part.
  expect(group.id.split('/').at(-1)).toBe(String(filled.group.id));
  expect(await destination.get(`${ofGroup}/export_relations/status`)).toEqual([]);
  expect(await destination.get(`${ofGroup}/subgroups`)).toMatchObject([
    { path: 'below', full_path: `${filled.group.path}/below`, name: 'Below' },
  ]);
  const avatar = await destination.call('GET', `${ofGroup}/avatar`);
  expect(avatar.status).toBe(404);
  for (const place of [ofGroup, ofProject])
    expect(await destination.get(`${place}/wikis`)).toEqual(expect.any(Array));
});

describe('a group', () => {
  it('is exported on request, in batches', async () => {
    const answer = await destination.call('POST', `${ofGroup}/export_relations`, { batched: 'true' });
    expect([answer.status, await answer.json()]).toEqual([202, { message: '202 Accepted' }]);
    const { name, bytes } = await destination
      .written(ofGroup, 'self')
      .then(() => destination.file(ofGroup, 'self', null));
    expect(name).toBe('self.json.gz');
    expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ name: 'Work', visibility_level: 0 });
  });

  it('has records with everything that the destination needs to create them', async () => {
    const times = { created_at: TIME, updated_at: TIME };
    expect(await destination.records(ofGroup, 'labels')).toEqual([
      expect.objectContaining({ title: 'team', color: '#112233', type: 'GroupLabel', ...times }),
    ]);
    expect(await destination.records(ofGroup, 'milestones')).toEqual([
      expect.objectContaining({ title: 'Year', iid: 1, state: 'active', due_date: null, ...times }),
    ]);
    const [epic] = await destination.records(ofGroup, 'epics');
    expect(epic).toMatchObject({ iid: 1, title: 'Great', author_id: filled.ada.id, state_id: 1, ...times });
    expect(epic).toMatchObject({
      label_links: [{ label: { title: 'team', type: 'GroupLabel' } }],
      notes: [],
    });
  });

  it('has files of every requested relation, even if they are empty', async () => {
    for (const relation of ['badges', 'boards'])
      expect([relation, await destination.records(ofGroup, relation)]).toEqual([relation, []]);
    expect(await destination.records(ofGroup, 'namespace_settings')).toHaveLength(1);
    await destination.written(ofGroup, 'uploads');
    const missing = await destination.call('GET', `${ofGroup}/export_relations/status`, { relation: 'x' });
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { message: expect.stringMatching(/export not found/i) },
    ]);
  });
});

describe('a project', () => {
  beforeAll(async () => {
    const answer = await destination.call('POST', `${ofProject}/export_relations`, { batched: 'true' });
    expect(answer.status).toBe(202);
  });

  it('has issues with their notes', async () => {
    const [issue, quiet] = await destination.records(ofProject, 'issues');
    expect(issue).toMatchObject({
      ...{
        iid: 1,
        title: 'It breaks\u2028twice',
        description: 'a\nb "c" \\ \u{1F600}',
        author_id: filled.ada.id,
      },
      ...{ state: 'opened', confidential: false, created_at: TIME, updated_at: TIME, issue_type: 'issue' },
      milestone: {
        title: 'v1',
        iid: 1,
        project_id: filled.project.id,
        group_id: null,
        due_date: '2030-01-01',
      },
      label_links: [
        { target_type: 'Issue', label: { title: 'bug', type: 'ProjectLabel', color: '#ff0000' } },
        { target_type: 'Issue', label: { title: 'team', type: 'GroupLabel', color: '#112233' } },
      ],
      timelogs: [{ time_spent: 3_600, user_id: filled.ada.id, spent_at: TIME }],
      award_emoji: [{ name: 'thumbsup', user_id: filled.ada.id }],
    });
    expect(quiet).toMatchObject({ iid: 2, confidential: true, milestone: null, label_links: [] });
    talkIn(issue, 'Issue');
  });

  it('has merge requests with their code and notes', async () => {
    const [change] = await destination.records(ofProject, 'merge_requests');
    const sha = expect.stringMatching(/^[0-9a-f]{40}$/);
    expect(change).toMatchObject({
      ...{
        iid: 1,
        title: 'Feature',
        author_id: filled.ada.id,
        source_branch: 'feature',
        target_branch: 'main',
      },
      ...{ source_project_id: filled.project.id, target_project_id: filled.project.id, state: 'opened' },
      ...{
        diff_head_sha: sha,
        source_branch_sha: sha,
        target_branch_sha: sha,
        created_at: TIME,
        updated_at: TIME,
      },
      merge_request_diff: {
        base_commit_sha: sha,
        head_commit_sha: sha,
        start_commit_sha: sha,
        state: 'collected',
      },
      metrics: { merged_at: null },
      approvals: [{ user_id: filled.ada.id }],
      label_links: [{ target_type: 'MergeRequest', label: { title: 'bug' } }],
    });
    talkIn(change, 'MergeRequest');
  });

  it('has everything else', async () => {
    expect(await destination.records(ofProject, 'labels')).toMatchObject([
      { title: 'bug', type: 'ProjectLabel' },
    ]);
    expect(await destination.records(ofProject, 'milestones')).toMatchObject([{ title: 'v1', iid: 1 }]);
    const [snippet] = await destination.records(ofProject, 'snippets');
    expect(snippet).toMatchObject({
      ...{
        title: 'Snip',
        visibility_level: 0,
        author_id: filled.ada.id,
        file_name: 'run.sh',
        content: 'echo 1\n',
      },
    });
    expect(await destination.records(ofProject, 'ci_pipelines')).toMatchObject([
      {
        ...{ iid: 1, ref: 'main', sha: filled.project.commits.at(-1), status: 'success', source: 'external' },
        stages: [
          { name: 'external', generic_commit_statuses: [{ name: 'ci/x', status: 'success' }], builds: [] },
        ],
      },
    ]);
    const names = async (relation: string): Promise<unknown[]> =>
      (await destination.records(ofProject, relation)).map(({ name }) => name);
    expect(await names('protected_branches')).toContain('release/*');
    expect(await names('protected_tags')).toEqual(['v*']);
    const branches = await destination.records(ofProject, 'protected_branches');
    for (const { push_access_levels: push, merge_access_levels: merge } of branches)
      expect([push, merge]).toMatchObject([[{ access_level: 40 }], [{ access_level: 40 }]]);
    const nothing = ['boards', 'releases', 'commit_notes', 'external_pull_requests', 'pipeline_schedules'];
    for (const relation of nothing)
      expect([relation, await destination.records(ofProject, relation)]).toEqual([relation, []]);
    for (const relation of ['project_feature', 'ci_cd_settings', 'auto_devops', 'service_desk_setting'])
      expect((await destination.records(ofProject, relation)).length).toBeLessThanOrEqual(1);
  });

  it('has archives that tar unpacks and git clones', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-to-v4-'));
    try {
      for (const relation of ['repository', 'uploads', 'lfs_objects', 'design', 'snippets_repository']) {
        const { batched, batches_count: count } = await destination.written(ofProject, relation);
        if (batched && count === 0) continue;
        const { name, bytes } = await destination.file(ofProject, relation, batched ? 1 : null);
        expect(name).toBe(`${relation}.tar.gz`);
        writeFileSync(join(folder, 'archive'), bytes);
        execFileSync('tar', ['-xzf', 'archive'], { cwd: folder });
      }
      execFileSync('git', ['clone', '--quiet', '--mirror', 'project.bundle', 'code.git'], { cwd: folder });
      const heads = execFileSync('git', ['-C', 'code.git', 'for-each-ref', '--format=%(refname)'], {
        cwd: folder,
      });
      expect(heads.toString()).toMatch(/refs\/heads\/feature\nrefs\/heads\/main\n(.*\n)*refs\/tags\/v1/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it('has code and wikis that older versions fetch by git, with the token as password', async () => {
  const base = api.url.replace('://', `://oauth2:${token}@`);
  const work = await new WorkingCopy().init();
  try {
    for (const path of [filled.project.fullPath, `${filled.project.fullPath}.wiki`])
      expect(await work.git('ls-remote', '--heads', `${base}/${path}.git`)).toContain('refs/heads/main');
  } finally {
    work.remove();
  }
});

/** Notes that the destination can attribute: by the id of the author, else by a name in the text. */
function talkIn(record: Line | undefined, type: string): void {
  const notes = (record?.['notes'] ?? []) as Line[];
  expect(notes.filter(({ system }) => system === false)).toHaveLength(1);
  for (const note of notes)
    expect(note).toMatchObject({
      ...{
        note: expect.any(String),
        noteable_type: type,
        author_id: filled.ada.id,
        system: expect.any(Boolean),
      },
      ...{ author: { name: 'Ada Lovelace' }, created_at: TIME, updated_at: TIME, award_emoji: [] },
      discussion_id: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  for (const { system, system_note_metadata: metadata } of notes)
    if (system === true) expect(metadata).toMatchObject({ action: expect.any(String) });
}
