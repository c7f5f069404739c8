import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildProject } from '../../../../support/builders/project.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { handmadeTarget, importRecords, type HandmadeTarget } from '../../../../support/transfer-target.js';

/**
 * Records with the attributes that v4 servers write, including many that do not exist here; without ids, as
 * in older versions.
 */
const LABEL = {
  title: 'bug',
  color: '#d9534f',
  project_id: 41,
  created_at: '2019-03-04T05:06:07.890Z',
  updated_at: '2019-03-04T05:06:07.890Z',
  template: false,
  description: null,
  group_id: null,
  type: 'ProjectLabel',
  lock_on_merge: false,
  priorities: [{ project_id: 41, priority: 2, created_at: '2019-03-04T05:06:07.890Z' }],
};
const GROUP_LABEL = {
  title: 'team::a',
  color: '#5CB85C',
  project_id: null,
  group_id: 7,
  type: 'GroupLabel',
  priorities: [],
};
const MILESTONE = {
  title: '1.0',
  project_id: 41,
  description: 'First',
  due_date: '2019-12-24',
  created_at: '2019-03-04T05:06:07.890Z',
  updated_at: '2019-03-05T05:06:07.890Z',
  state: 'closed',
  iid: 3,
  start_date: null,
  group_id: null,
};
const NOTE = {
  note: 'I see it too, @root',
  noteable_type: 'Issue',
  author_id: 91,
  created_at: '2019-04-02T10:00:00.000Z',
  updated_at: '2019-04-02T10:05:00.000Z',
  project_id: 41,
  attachment: { url: null },
  line_code: null,
  commit_id: null,
  st_diff: null,
  system: false,
  type: 'DiscussionNote',
  discussion_id: 'a'.repeat(40),
  position: null,
  original_position: null,
  resolved_at: null,
  confidential: null,
  internal: false,
  imported_from: 'none',
  author: { name: 'Zoë *Bold* <i>' },
  award_emoji: [{ name: 'thumbsup', user_id: 90, awardable_type: 'Note' }],
  suggestions: [],
  events: [{ action: 'commented', author_id: 91 }],
};
const ISSUE = {
  title: 'It breaks',
  author_id: 91,
  project_id: 41,
  created_at: '2019-04-01T10:00:00.000Z',
  updated_at: '2019-04-03T10:00:00.000Z',
  description: 'Always.\n- [x] seen',
  iid: 12,
  updated_by_id: 90,
  confidential: false,
  closed_at: '2019-04-03T10:00:00.000Z',
  closed_by_id: 90,
  due_date: null,
  lock_version: 0,
  time_estimate: 3600,
  relative_position: 1_026,
  last_edited_at: null,
  last_edited_by_id: null,
  discussion_locked: null,
  work_item_type: { base_type: 'objective' },
  health_status: 'on_track',
  external_key: null,
  state: 'closed',
  weight: 3,
  label_links: [
    { target_type: 'Issue', label: LABEL },
    { target_type: 'Issue', label: GROUP_LABEL },
  ],
  milestone: MILESTONE,
  timelogs: [{ time_spent: 60, user_id: 91, spent_at: '2019-04-02T00:00:00.000Z', note_id: null }],
  issue_assignees: [{ user_id: 90 }, { user_id: 91 }],
  award_emoji: [
    { name: 'thumbsup', user_id: 90 },
    { name: 'thumbsdown', user_id: 91 },
  ],
  notes: [
    NOTE,
    { ...NOTE, type: null, author_id: 90, note: 'An answer', award_emoji: [] },
    {
      ...NOTE,
      note: 'closed',
      system: true,
      type: null,
      discussion_id: 'b'.repeat(40),
      system_note_metadata: { commit_count: null, action: 'closed' },
    },
  ],
  resource_label_events: [
    { action: 'add', user_id: 91, label: LABEL, created_at: '2019-04-02T09:00:00.000Z' },
    { action: 'remove', user_id: 90, label: null, created_at: '2019-04-02T10:00:00.000Z' },
    { action: 'touch', user_id: 90, label: LABEL },
    'nothing',
  ],
  resource_milestone_events: [
    {
      action: 'add',
      user_id: 90,
      state: 'opened',
      milestone: MILESTONE,
      created_at: '2019-04-02T11:00:00.000Z',
    },
  ],
  resource_state_events: [
    { user_id: 90, state: 'closed', source_commit: 'c'.repeat(40), created_at: '2019-04-03T10:00:00.000Z' },
    { user_id: 90, state: 'melted' },
  ],
  zoom_meetings: [],
  sentry_issue: null,
  designs: [],
  epic_issue: { relative_position: 5, epic: { iid: 2, title: 'Missing', group_id: 7 } },
};
const EPIC = {
  title: 'Big',
  iid: 4,
  group_id: 7,
  author_id: 90,
  description: null,
  state_id: 2,
  closed_at: '2019-05-01T00:00:00.000Z',
  start_date: '2019-01-01',
  end_date: '2019-06-30',
  start_date_is_fixed: null,
  due_date_is_fixed: true,
  due_date_fixed: '2019-06-30',
  parent: { title: 'Bigger' },
  created_at: '2019-01-01T00:00:00.000Z',
  updated_at: '2019-05-01T00:00:00.000Z',
  label_links: [{ target_type: 'Epic', label: GROUP_LABEL }],
  award_emoji: [{ name: 'thumbsup', user_id: 90 }],
  notes: [],
  events: [],
};

describe('records of v4 servers', () => {
  let api: TestApi;
  let project: HandmadeTarget;
  let group: HandmadeTarget;

  beforeAll(async () => {
    api = await borrowApi();
    const { id: groupId } = await buildGroup(api);
    const { id: projectId } = await buildProject(api.root, { namespace_id: groupId });
    const values = {
      users: new Map([[90, 1]]),
      strangers: [{ sourceId: 91, username: 'zoe', name: 'Zoë *Bold* <i>', userId: null }],
    };
    project = handmadeTarget({ of: 'project', ownerId: projectId, ...values });
    group = handmadeTarget({ of: 'group', ownerId: groupId, ...values });
    await importRecords(api, group, 'labels', [GROUP_LABEL]);
    await importRecords(api, group, 'epics', [EPIC]);
    await importRecords(api, project, 'labels', [LABEL]);
    await importRecords(api, project, 'milestones', [MILESTONE]);
    await importRecords(api, project, 'issues', [ISSUE]);
  });
  afterAll(() => api.close());

  const get = async (path: string): Promise<unknown> =>
    (await api.root.get<unknown>(`/projects/${project.ownerId}${path}`)).body;

  it('become issues with their labels, milestone, times and users', async () => {
    expect(await get('/issues/12')).toMatchObject({
      title: 'It breaks',
      state: 'closed',
      author: { id: 1 },
      closed_by: { id: 1 },
      created_at: ISSUE.created_at,
      updated_at: ISSUE.updated_at,
      closed_at: ISSUE.closed_at,
      labels: ['bug', 'team::a'],
      milestone: { iid: 3, title: '1.0', state: 'closed', due_date: '2019-12-24' },
      assignees: [{ id: 1 }],
      issue_type: 'issue',
      weight: 3,
      health_status: 'on_track',
      upvotes: 1,
      downvotes: 0,
      user_notes_count: 2,
      task_completion_status: { count: 1, completed_count: 1 },
      time_stats: { time_estimate: 3_600, total_time_spent: 60 },
      epic: null,
    });
    expect(await get('/labels')).toMatchObject([
      { name: 'bug', priority: 2, color: '#d9534f' },
      { name: 'team::a', is_project_label: false },
    ]);
    expect(await get('/milestones')).toHaveLength(1);
  });

  it('name the original author of texts by unknown users', async () => {
    const notes = await get('/issues/12/notes?sort=asc&order_by=id');
    expect(notes).toMatchObject([
      { system: true, body: 'imported this issue, which Zoë Bold i (`@zoe`) created on 2019-04-01' },
      {
        system: false,
        type: 'DiscussionNote',
        body: 'I see it too, @root\n\n*By Zoë Bold i (`@zoe`) on 2019-04-02 (imported)*',
        created_at: '2019-04-02T10:00:00.000Z',
        updated_at: '2019-04-02T10:05:00.000Z',
      },
      { system: false, type: 'DiscussionNote', body: 'An answer' },
      { system: true, body: 'closed\n\n*By Zoë Bold i (`@zoe`) on 2019-04-02 (imported)*' },
    ]);
    const discussions = (await get('/issues/12/discussions')) as { notes: unknown[] }[];
    expect(discussions.map((one) => one.notes.length)).toEqual([1, 2, 1]);
  });

  it('keep the history, with users if they are known here', async () => {
    expect(await get('/issues/12/resource_label_events')).toMatchObject([
      { action: 'add', label: { name: 'bug' }, user: null, created_at: '2019-04-02T09:00:00.000Z' },
      { action: 'remove', label: null, user: { id: 1 } },
    ]);
    expect(await get('/issues/12/resource_milestone_events')).toMatchObject([
      { action: 'add', milestone: { title: '1.0' }, state: 'opened', user: { id: 1 } },
    ]);
    expect(await get('/issues/12/resource_state_events')).toMatchObject([
      { state: 'closed', source_commit: 'c'.repeat(40), source_merge_request_id: null },
    ]);
  });

  it('report an epic that was not imported', () => {
    expect(project.problems).toEqual([
      { title: 'It breaks', message: 'Epic &2 "Missing" is not among the epics of the groups above' },
    ]);
  });

  it('find the epic of an issue by number and title, unless it is confidential and the issue is not', async () => {
    const link = (title: string): object => ({ relative_position: 5, epic: { iid: 4, title } });
    const issue = { ...ISSUE, iid: 13, epic_issue: link('Big') };
    await importRecords(api, project, 'issues', [issue, { ...issue, iid: 14, epic_issue: link('Other') }]);
    expect(await get('/issues/13')).toMatchObject({ epic: { iid: 4, title: 'Big' } });
    expect(await get('/issues/14')).toMatchObject({ epic: null });
    await importRecords(api, group, 'epics', [{ ...EPIC, iid: 5, confidential: true }]);
    const open = { ...issue, iid: 15, epic_issue: { epic: { iid: 5, title: 'Big' } } };
    await importRecords(api, project, 'issues', [open, { ...open, iid: 16, confidential: true }]);
    expect(await get('/issues/15')).toMatchObject({ epic: null });
    expect(await get('/issues/16')).toMatchObject({ epic: { iid: 5 } });
    expect(project.problems.at(-1)?.message).toBe('Epic &5 "Big" is confidential, which the issue is not');
  });

  it('become epics', async () => {
    const { body } = await api.root.get<unknown>(`/groups/${group.ownerId}/epics/4`);
    expect(body).toMatchObject({
      title: 'Big',
      state: 'closed',
      labels: ['team::a'],
      start_date_is_fixed: true,
      start_date: '2019-01-01',
      due_date: '2019-06-30',
      upvotes: 1,
      closed_at: EPIC.closed_at,
    });
  });
});
