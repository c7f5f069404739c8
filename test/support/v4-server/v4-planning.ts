import type { V4Version } from './v4-version.js';

const EARLY = '2019-03-04T05:06:07.890Z';
const LATE = '2019-04-05T06:07:08.901Z';
const TIMES = { created_at: EARLY, updated_at: LATE };

/** A label of the project, and one of the parent group. */
export const BUG = {
  ...{
    title: 'bug',
    color: '#d9534f',
    description: 'Wrong',
    project_id: 41,
    group_id: null,
    template: false,
  },
  ...{
    ...TIMES,
    type: 'ProjectLabel',
    lock_on_merge: false,
    priorities: [{ project_id: 41, priority: 1, ...TIMES }],
  },
};
export const TEAM = {
  ...{
    title: 'team::a',
    color: '#5CB85C',
    description: null,
    project_id: null,
    group_id: 7,
    template: false,
  },
  ...{ ...TIMES, type: 'GroupLabel', lock_on_merge: false, textColor: '#FFFFFF' },
};
/** A milestone of the project, and one of the parent group. */
export const SPRINT = {
  ...{ title: 'Sprint 1', iid: 4, description: 'Short', state: 'closed', project_id: 41, group_id: null },
  ...{ ...TIMES, start_date: '2019-03-01', due_date: '2019-03-15', releases: [], events: [] },
};
export const YEAR = {
  ...{ title: 'Year', iid: 2, description: null, state: 'active', project_id: null, group_id: 7 },
  ...{ ...TIMES, start_date: null, due_date: '2020-01-01' },
};

/** Labels of a record as the version links them. */
export const linked = (version: V4Version, type: string, labels: readonly object[]): object =>
  version.hasOldNames
    ? { labels }
    : { label_links: labels.map((label) => ({ target_type: type, ...TIMES, label })) };

/** A note as the version writes it; users 90 (Ada) and 91 (Zoe) are the source's. */
export function note(version: V4Version, attributes: object): object {
  const secrecy = version.hasOldNames ? { confidential: null } : { internal: false, imported_from: 'none' };
  return {
    ...{ noteable_type: 'Issue', author_id: 91, project_id: 41, ...TIMES, system: false, type: null },
    ...{ line_code: null, commit_id: null, st_diff: null, position: null, original_position: null },
    ...{ change_position: null, resolved_at: null, resolved_by_id: null, resolved_by_push: null },
    ...{ attachment: { url: null }, last_edited_at: null, discussion_id: 'a'.repeat(40) },
    ...{
      author: { name: 'Zoe of the source' },
      award_emoji: [],
      events: [{ action: 'commented', target_type: 'Note' }],
    },
    ...{ suggestions: [], system_note_metadata: null, note_diff_file: null },
    ...secrecy,
    ...attributes,
  };
}

const kindOf = ({ hasOldNames }: V4Version, type: string): object =>
  hasOldNames ? { issue_type: type } : { issue_type: null, work_item_type: { base_type: type } };

/** Issues of the project: one with all attributes, an incident, and one with few attributes. */
export function issues(version: V4Version, url: string): readonly object[] {
  const usual = {
    ...{
      author_id: 90,
      project_id: 41,
      ...TIMES,
      confidential: false,
      state: 'opened',
      weight: null,
      due_date: null,
    },
    ...{ closed_at: null, closed_by_id: null, time_estimate: 0, discussion_locked: null, lock_version: 0 },
    ...{ relative_position: null, health_status: null, milestone: null, timelogs: [], issue_assignees: [] },
    ...{ award_emoji: [], notes: [], events: [], zoom_meetings: [], designs: [], design_versions: [] },
    ...{
      sentry_issue: null,
      resource_milestone_events: [],
      resource_state_events: [],
      resource_iteration_events: [],
    },
    ...{ service_desk_reply_to: null, external_key: null, blocking_issues_count: 0, imported_from: 'none' },
  };
  const answered = 'b'.repeat(40);
  return [
    {
      ...usual,
      ...{
        iid: 1,
        title: 'It breaks',
        description: `See ${url}/acme/web/-/issues/3`,
        state: 'closed',
        weight: 3,
      },
      ...{
        closed_at: LATE,
        closed_by_id: 90,
        time_estimate: 3_600,
        health_status: 'on_track',
        milestone: YEAR,
      },
      ...kindOf(version, 'issue'),
      ...linked(version, 'Issue', [BUG, TEAM]),
      timelogs: [
        { time_spent: 1_800, user_id: 90, spent_at: LATE, ...TIMES, summary: 'Looked', note_id: null },
      ],
      issue_assignees: [{ user_id: 90 }, { user_id: 91 }],
      award_emoji: [{ name: 'thumbsup', user_id: 90, awardable_type: 'Issue', ...TIMES }],
      resource_label_events: [{ action: 'add', user_id: 91, created_at: EARLY, label: BUG }],
      notes: [
        note(version, { note: 'I see it too', type: 'DiscussionNote', discussion_id: answered }),
        note(version, {
          ...{
            note: 'So do I',
            type: 'DiscussionNote',
            author_id: 90,
            author: { name: 'Ada' },
            discussion_id: answered,
          },
          award_emoji: [{ name: 'tada', user_id: 90, awardable_type: 'Note', ...TIMES }],
        }),
        note(version, {
          ...{ note: 'assigned to @ada', system: true, author_id: 90, discussion_id: 'c'.repeat(40) },
          system_note_metadata: { commit_count: null, action: 'assignee', ...TIMES },
        }),
      ],
    },
    {
      ...usual,
      ...{
        iid: 3,
        title: 'Down',
        description: null,
        author_id: 91,
        confidential: true,
        due_date: '2019-05-01',
      },
      ...{
        milestone: SPRINT,
        issuable_severity: { severity: 'high' },
        epic_issue: version.hasEpics ? IN_EPIC : null,
      },
      ...kindOf(version, 'incident'),
      ...linked(version, 'Issue', [TEAM]),
      notes: [note(version, { note: 'Only for us', author_id: 90, ...secret(version) })],
    },
    {
      ...usual,
      iid: 7,
      title: 'Old',
      author_id: null,
      ...kindOf(version, 'requirement'),
      notes: null,
      label_links: null,
    },
  ];
}

const secret = ({ hasOldNames }: V4Version): object =>
  hasOldNames ? { confidential: true } : { internal: true };

const IN_EPIC = { relative_position: 10, ...TIMES, epic: { iid: 1, title: 'Great', group_id: 7, ...TIMES } };

/** Epics of the group: an open and a closed one. */
export function epics(version: V4Version): readonly object[] {
  const usual = {
    ...{
      group_id: 7,
      ...TIMES,
      lock_version: 0,
      relative_position: null,
      color: '#1068bf',
      events: [],
      parent: null,
    },
    ...{ start_date_is_fixed: null, due_date_is_fixed: null, start_date_sourcing_milestone_id: null },
    ...{ award_emoji: [], notes: [], resource_state_events: [], external_key: null, confidential: false },
  };
  const closed = version.hasOldNames ? { state: 'closed' } : { state_id: 2 };
  return [
    {
      ...usual,
      ...{
        iid: 1,
        title: 'Great',
        author_id: 90,
        description: 'Many',
        start_date: '2019-01-01',
        end_date: '2019-12-31',
      },
      ...{ confidential: true, state_id: 1, ...linked(version, 'Epic', [TEAM]) },
      notes: [note(version, { noteable_type: 'Epic', project_id: null, note: 'To be split' })],
    },
    {
      ...usual,
      ...closed,
      iid: 2,
      title: 'Small',
      author_id: 91,
      closed_at: LATE,
      closed_by_id: 91,
      description: null,
    },
  ];
}
