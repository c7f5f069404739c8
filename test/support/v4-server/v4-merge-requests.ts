import { BUG, linked, note, SPRINT } from './v4-planning.js';
import type { V4Repositories } from './v4-repositories.js';
import type { V4Version } from './v4-version.js';

type Commits = V4Repositories['commits'];

const EARLY = '2020-03-04T05:06:07.890Z';
const LATE = '2020-04-05T06:07:08.901Z';
const TIMES = { created_at: EARLY, updated_at: LATE };

const diff = (head: string, base: string, paths: readonly string[]): object => ({
  ...{ state: 'collected', ...TIMES, base_commit_sha: base, head_commit_sha: head, start_commit_sha: base },
  ...{
    real_size: String(paths.length),
    commits_count: 1,
    files_count: paths.length,
    sorted: true,
    diff_type: 'regular',
  },
  merge_request_diff_commits: [
    { authored_date: EARLY, relative_order: 0, sha: head, message: 'Change', trailers: {} },
  ],
  merge_request_diff_files: paths.map((path, at) => ({
    ...{
      relative_order: at,
      new_file: false,
      renamed_file: false,
      deleted_file: false,
      too_large: false,
      binary: false,
    },
    ...{
      a_mode: '100644',
      b_mode: '100644',
      new_path: path,
      old_path: path,
      utf8_diff: '@@ -1 +1 @@\n-a\n+b\n',
    },
  })),
});

/** Merge requests: a merged one with notes on a line, an open one, and one whose fork was removed. */
export function mergeRequests(
  version: V4Version,
  { first, feature, fixed, merge, forked }: Commits,
): readonly object[] {
  const usual = {
    ...{
      target_branch: 'main',
      target_project_id: 41,
      source_project_id: 41,
      author_id: 90,
      ...TIMES,
      description: null,
    },
    ...{
      merge_status: 'can_be_merged',
      merge_error: null,
      merge_params: {},
      merge_when_pipeline_succeeds: false,
    },
    ...{
      merge_user_id: null,
      merge_commit_sha: null,
      squash_commit_sha: null,
      in_progress_merge_commit_sha: null,
    },
    ...{
      squash: false,
      discussion_locked: null,
      time_estimate: 0,
      allow_maintainer_to_push: null,
      milestone: null,
    },
    ...{
      events: [],
      timelogs: [],
      resource_label_events: [],
      resource_milestone_events: [],
      resource_state_events: [],
    },
    ...{
      award_emoji: [],
      notes: [],
      approvals: [],
      merge_request_assignees: [],
      merge_request_reviewers: [],
    },
    ...{
      metrics: {
        ...TIMES,
        merged_at: null,
        merged_by_id: null,
        latest_closed_at: null,
        latest_closed_by_id: null,
      },
    },
    ...(version.hasOldNames ? {} : { draft: false, imported_from: 'none' }),
  };
  const place = {
    ...{ base_sha: first, start_sha: first, head_sha: fixed, old_path: 'app.txt', new_path: 'app.txt' },
    ...{
      position_type: 'text',
      old_line: null,
      new_line: 2,
      line_range: null,
      ignore_whitespace_change: false,
    },
  };
  const position = version.hasOldNames ? JSON.stringify(place) : place;
  const onLine = {
    ...{
      noteable_type: 'MergeRequest',
      type: 'DiffNote',
      position,
      original_position: position,
      line_code: 'x_1_2',
    },
    ...{ discussion_id: 'd'.repeat(40), resolved_at: LATE, resolved_by_id: 90 },
  };
  const review = version.hasOldNames ? { ...TIMES } : { ...TIMES, state: 'reviewed' };
  const draft = version.hasOldNames ? {} : { draft: true };
  return [
    {
      ...usual,
      ...{
        iid: 1,
        title: 'Fix it',
        description: 'Closes #1',
        source_branch: 'fix',
        state: 'merged',
        milestone: SPRINT,
      },
      ...{ merge_user_id: 90, merge_commit_sha: merge, diff_head_sha: fixed, source_branch_sha: fixed },
      ...{ target_branch_sha: first, merge_params: { force_remove_source_branch: '1' } },
      ...linked(version, 'MergeRequest', [BUG]),
      metrics: { ...usual.metrics, merged_at: LATE, merged_by_id: 90 },
      merge_request_diff: diff(fixed, first, ['app.txt']),
      merge_request_assignees: [{ user_id: 90, ...TIMES }],
      merge_request_reviewers: [
        { user_id: 90, ...review },
        { user_id: 91, ...review },
      ],
      approvals: [
        { user_id: 90, ...TIMES },
        { user_id: 91, ...TIMES },
      ],
      notes: [
        note(version, { ...onLine, note: 'Why 2?' }),
        note(version, { ...onLine, note: 'Why not?', author_id: 90, author: { name: 'Ada' } }),
        note(version, {
          ...{ noteable_type: 'MergeRequest', note: 'added 1 commit', system: true, author_id: 90 },
          ...{ discussion_id: 'e'.repeat(40), system_note_metadata: { commit_count: 1, action: 'commit' } },
        }),
      ],
    },
    {
      ...usual,
      ...{
        iid: 2,
        title: 'Draft: Feature',
        source_branch: 'feature',
        state: 'opened',
        author_id: 91,
        ...draft,
      },
      ...{ diff_head_sha: feature, source_branch_sha: feature, target_branch_sha: first },
      merge_request_diff: diff(feature, first, ['new.txt']),
    },
    {
      ...usual,
      ...{ iid: 5, title: 'From a fork', source_branch: 'patch-1', state: 'closed', source_project_id: 77 },
      ...{ diff_head_sha: forked, source_branch_sha: null, target_branch_sha: first },
      metrics: { ...usual.metrics, latest_closed_at: LATE, latest_closed_by_id: 91 },
      merge_request_diff: diff(forked, first, ['patch.txt']),
    },
  ];
}
