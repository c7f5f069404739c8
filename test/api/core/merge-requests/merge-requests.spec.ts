import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { CodeProject } from '../../../support/builders/code-project.js';
import {
  buildMergeRequest,
  buildMergeRequestProject,
  type MergeRequestBody,
} from '../../../support/builders/merge-request.js';
import { createUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let project: CodeProject;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  project = await buildMergeRequestProject(api);
  path = `/projects/${project.id}/merge_requests`;
});
afterAll(() => api.close());

const branches = { source_branch: 'one', target_branch: 'main', title: 'x' };

describe('a merge request', () => {
  let made: MergeRequestBody;

  beforeAll(async () => {
    made = await buildMergeRequest(project.developer, project.id, 'one', {
      title: 'Draft: Bring one',
      description: '- [x] a\n- [ ] b',
      labels: 'b,a',
      assignee_ids: [project.developerId],
      reviewer_ids: [project.developerId],
      remove_source_branch: true,
    });
  });

  it('is created with all attributes that v4 clients expect, and its branches are validated', () => {
    const user = expect.objectContaining({ id: project.developerId }) as unknown;
    expect(made).toMatchObject({
      iid: 1,
      project_id: project.id,
      source_project_id: project.id,
      target_project_id: project.id,
      title: 'Draft: Bring one',
      draft: true,
      work_in_progress: true,
      state: 'opened',
      author: user,
      assignee: user,
      assignees: [user],
      reviewers: [user],
      labels: ['a', 'b'],
      merged_by: null,
      merge_user: null,
      detailed_merge_status: 'draft_status',
      changes_count: '1',
      diff_refs: { base_sha: project.commits[1], start_sha: project.commits[1], head_sha: made.sha },
      force_remove_source_branch: true,
      should_remove_source_branch: null,
      squash: false,
      squash_on_merge: false,
      task_completion_status: { count: 2, completed_count: 1 },
      references: { short: '!1', relative: '!1', full: `${project.fullPath}!1` },
      web_url: `http://forgeplane.test/${project.fullPath}/-/merge_requests/1`,
      subscribed: true,
      user: { can_merge: true },
      has_conflicts: false,
      approvals_before_merge: null,
    });
    expect(made).not.toHaveProperty('allow_collaboration');
  });

  it('has deprecation headers for v5', async () => {
    const { status, headers, body } = await project.maintainer.get(
      `${path}/1?render_html=true&include_diverged_commits_count=true&include_rebase_in_progress=true`,
    );
    expect(status).toBe(200);
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(headers.get('sunset')).toMatch(/ GMT$/);
    expect(body).toMatchObject({
      title_html: 'Draft: Bring one',
      diverged_commits_count: 0,
      rebase_in_progress: false,
      user: { can_merge: true },
      subscribed: false,
    });
  });

  it('cannot be created twice at once: the other requests get the number of the first', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => project.developer.post(path, { ...branches, source_branch: 'two' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const iid = answers.find(({ status }) => status === 201)?.body['iid'] as number;
    const text = `Another open merge request already exists for this source branch: !${iid}`;
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({ message: [text] });
  });

  it.each([
    [{ title: 'x', target_branch: 'main' }, 400, '400 (Bad request) "source_branch" not given'],
    [{ ...branches, title: ' ' }, 400, { title: ["can't be blank"] }],
    [{ ...branches, title: 'x'.repeat(256) }, 400, { title: ['is too long (maximum is 255 characters)'] }],
    [
      { ...branches, source_branch: 'main' },
      422,
      ["You can't use same project/branch for source and target"],
    ],
    [{ ...branches, source_branch: 'nope' }, 422, ['Source branch "nope" does not exist']],
    [{ ...branches, target_branch: 'nope' }, 422, ['Target branch "nope" does not exist']],
    [{ ...branches, source_branch: 'four', milestone_id: 4_000_000 }, 400, { milestone_id: ['is invalid'] }],
    [{ ...branches, target_project_id: 4_000_000 }, 404, '404 Project Not Found'],
  ])('is refused for %j', async (values, status, message) => {
    const answer = await project.developer.post(path, values);
    expect([answer.status, answer.body]).toEqual([status, { message }]);
  });

  it('requires permission to push, and to read the target', async () => {
    expect((await project.reporter.post(path, branches)).status).toBe(403);
    const other = await buildMergeRequestProject(api, { visibility: 'public' });
    const answer = await other.developer.post(`/projects/${other.id}/merge_requests`, {
      ...branches,
      target_project_id: project.id,
    });
    expect(answer.status).toBe(404);
    const strange = await api.root.post(path, { ...branches, target_project_id: other.id });
    expect(strange.body).toEqual({ message: ['Source project is not a fork of the target project'] });
  });

  it('is changed by its participants; attributes that they may not change are ignored', async () => {
    expect((await project.developer.put(`${path}/1`, {})).status).toBe(400);
    expect((await project.reporter.put(`${path}/1`, { title: 'No' })).status).toBe(403);
    expect((await project.developer.put(`${path}/77`, { title: 'No' })).status).toBe(404);
    const { body } = await project.developer.put<MergeRequestBody>(`${path}/1`, {
      title: 'Bring one',
      add_labels: 'c',
      remove_labels: ['a'],
      assignee_ids: [0],
      target_branch: 'three',
      discussion_locked: true,
      squash: true,
    });
    expect(body).toMatchObject({
      title: 'Bring one',
      draft: false,
      labels: ['b', 'c'],
      assignees: [],
      target_branch: 'three',
      discussion_locked: true,
      squash: true,
      detailed_merge_status: 'unchecked',
    });
    const notes = await project.developer.get<{ body: string; system: boolean }[]>(`${path}/1/notes`);
    expect(notes.body.every(({ system }) => system)).toBe(true);
    expect(notes.body.map(({ body: text }) => text)).toEqual(
      expect.arrayContaining([
        'added ~c and removed ~a labels',
        'changed target branch from `main` to `three`',
      ]),
    );
  });

  it('is closed and reopened, unless another one has the same branches', async () => {
    const close = await project.developer.put(`${path}/1`, { state_event: 'close', target_branch: 'main' });
    expect(close.body).toMatchObject({
      state: 'closed',
      closed_by: expect.objectContaining({ id: project.developerId }) as unknown,
      closed_at: expect.any(String) as unknown,
      detailed_merge_status: 'not_open',
    });
    const other = await buildMergeRequest(project.developer, project.id, 'one');
    const refused = await project.developer.put(`${path}/1`, { state_event: 'reopen' });
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: [`Another open merge request already exists for this source branch: !${other.iid}`] },
    ]);
    await project.developer.put(`${path}/${other.iid}`, { state_event: 'close' });
    const again = await project.developer.put(`${path}/1`, { state_event: 'reopen' });
    expect(again.body).toMatchObject({ state: 'opened', closed_by: null, closed_at: null });
  });

  it('mentions issues that it closes, and they mention it', async () => {
    const issue = await api.root.post(`/projects/${project.id}/issues`, { title: 'Broken' });
    await project.developer.put(`${path}/1`, { description: `Closes #${issue.body['iid'] as number}` });
    const closes = await project.developer.get<{ id: number }[]>(`${path}/1/closes_issues`);
    expect(closes.body.map(({ id }) => id)).toEqual([issue.body['id']]);
    const issuePath = `/projects/${project.id}/issues/${issue.body['iid'] as number}`;
    for (const list of ['closed_by', 'related_merge_requests']) {
      const { body } = await project.developer.get<{ iid: number }[]>(`${issuePath}/${list}`);
      expect([list, body.map(({ iid }) => iid)]).toEqual([list, [1]]);
    }
  });

  it('counts for an issue only if its target is the default branch', async () => {
    const issue = await api.root.post(`/projects/${project.id}/issues`, { title: 'Counted' });
    const issuePath = `/projects/${project.id}/issues/${issue.body['iid'] as number}`;
    const counts = async (): Promise<unknown[]> => {
      const one = await project.developer.get(issuePath);
      const list = await project.developer.get<Record<string, unknown>[]>(
        `/projects/${project.id}/issues?search=Counted`,
      );
      const { body } = await project.developer.get<unknown[]>(`${issuePath}/closed_by`);
      return [one.body, ...list.body].map((shown) => shown['merge_requests_count']).concat(body.length);
    };
    await project.developer.put(`${path}/1`, { description: `Closes #${issue.body['iid'] as number}` });
    expect(await counts()).toEqual([1, 1, 1]);
    await project.developer.put(`${path}/1`, { target_branch: 'two' });
    expect(await counts()).toEqual([0, 0, 0]);
    await project.developer.put(`${path}/1`, { target_branch: 'main' });
    expect(await counts()).toEqual([1, 1, 1]);
  });

  it('has notes, subscriptions and time tracking', async () => {
    expect((await project.reporter.post(`${path}/1/notes`, { body: 'Good' })).status).toBe(201);
    expect((await project.reporter.post(`${path}/1/award_emoji`, { name: 'thumbsup' })).status).toBe(201);
    expect((await project.reporter.get(`${path}/1`)).body).toMatchObject({ upvotes: 1, user_notes_count: 1 });
    const people = await project.reporter.get<unknown[]>(`${path}/1/participants`);
    expect(people.body).toHaveLength(2);
    expect((await project.guest.post(`${path}/1/subscribe`)).status).toBe(403);
    expect((await project.maintainer.post(`${path}/1/subscribe`)).body['subscribed']).toBe(true);
    expect((await project.maintainer.post(`${path}/1/subscribe`)).status).toBe(304);
    // Whoever takes part has said nothing by being told that nothing changes.
    expect((await project.developer.post(`${path}/1/subscribe`)).status).toBe(304);
    const said = await api.sql<{ user_id: number }>(
      `select user_id from subscriptions where target_type = 'MergeRequest' and user_id = $1`,
      [project.developerId],
    );
    expect(said).toEqual([]);
    const spent = await project.developer.post(`${path}/1/add_spent_time`, { duration: '1h' });
    expect(spent.body['total_time_spent']).toBe(3_600);
    expect((await project.reporter.get(`${path}/1/reviewers`)).body).toEqual([
      expect.objectContaining({ state: 'unreviewed' }),
    ]);
  });

  it('is removed only by owners', async () => {
    expect((await project.maintainer.delete(`${path}/1`)).status).toBe(403);
    const stale = { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' };
    expect((await api.root.delete(`${path}/1`, stale)).status).toBe(412);
    expect((await api.root.delete(`${path}/1`)).status).toBe(204);
    const gone = await api.root.get(`${path}/1`);
    expect([gone.status, gone.body]).toEqual([404, { message: '404 Merge Request Not Found' }]);
  });
});

describe('merge requests from forks', () => {
  it('are created by users who may read the target, without permission to plan there', async () => {
    const target = await buildMergeRequestProject(api, { visibility: 'public' });
    const fork = await buildMergeRequestProject(api, { visibility: 'public' });
    await api.sql('update projects set forked_from_id = $1 where id = $2', [target.id, fork.id]);
    const answer = await fork.developer.post(`/projects/${fork.id}/merge_requests`, {
      ...branches,
      target_project_id: target.id,
      labels: 'mine',
      allow_collaboration: true,
    });
    expect([answer.status, answer.body]).toEqual([
      201,
      expect.objectContaining({
        project_id: target.id,
        source_project_id: fork.id,
        labels: [],
        allow_collaboration: true,
        user: { can_merge: false },
      }),
    ]);
    const at = `/projects/${target.id}/merge_requests/${answer.body['iid'] as number}`;
    expect((await fork.developer.put(at, { title: 'Mine' })).body['title']).toBe('Mine');
    const stranger = await createUser(api);
    expect((await stranger.client.put(at, { title: 'Mine' })).status).toBe(403);
  });
});
