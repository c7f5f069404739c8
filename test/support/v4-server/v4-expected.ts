import type { V4Repositories } from './v4-repositories.js';
import type { V4Version } from './v4-version.js';

/** Local ids of the user who is known at both ends, and of the importing user. */
interface People {
  readonly ada: number;
  readonly mover: number;
}

/** The expected issues after the import. */
export const issuesOf = (version: V4Version, slug: string, { ada, mover }: People): object[] => [
  {
    ...{
      iid: 1,
      title: 'It breaks',
      state: 'closed',
      weight: 3,
      health_status: 'on_track',
      issue_type: 'issue',
    },
    ...{ author: { id: ada }, closed_by: { id: ada }, closed_at: '2019-04-05T06:07:08.901Z' },
    ...{ labels: ['bug', 'team::a'], milestone: { title: 'Year', iid: 2 }, assignees: [{ id: ada }] },
    ...{ upvotes: 1, user_notes_count: 2, created_at: '2019-03-04T05:06:07.890Z' },
    description: `See http://forgeplane.test/${slug}/web/-/issues/3`,
    time_stats: { time_estimate: 3_600, total_time_spent: 1_800 },
  },
  {
    ...{
      iid: 3,
      title: 'Down',
      state: 'opened',
      issue_type: 'incident',
      severity: 'HIGH',
      confidential: true,
    },
    ...{
      author: { id: mover },
      due_date: '2019-05-01',
      labels: ['team::a'],
      milestone: { title: 'Sprint 1', iid: 4 },
    },
    epic: version.hasEpics ? { iid: 1, title: 'Great' } : null,
  },
  { iid: 7, title: 'Old', issue_type: 'issue', author: { id: mover }, labels: [], description: null },
];

/** The expected merge requests after the import. */
export const mergeRequestsOf = (commits: V4Repositories['commits'], { ada, mover }: People): object[] => [
  {
    ...{ iid: 1, title: 'Fix it', state: 'merged', merge_commit_sha: commits.merge },
    ...{
      sha: commits.fixed,
      merged_at: '2020-04-05T06:07:08.901Z',
      merge_user: { id: ada },
    },
    ...{
      labels: ['bug'],
      milestone: { title: 'Sprint 1' },
      assignees: [{ id: ada }],
      reviewers: [{ id: ada }],
    },
    ...{
      force_remove_source_branch: true,
      user_notes_count: 2,
      source_branch: 'fix',
      target_branch: 'main',
    },
  },
  {
    iid: 2,
    title: 'Draft: Feature',
    state: 'opened',
    draft: true,
    author: { id: mover },
    sha: commits.feature,
  },
  {
    iid: 5,
    state: 'closed',
    source_branch: 'patch-1',
    source_project_id: null,
    closed_at: '2020-04-05T06:07:08.901Z',
  },
];
