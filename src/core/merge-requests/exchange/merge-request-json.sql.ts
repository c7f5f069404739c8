import { isoTimeSql } from '#kernel/database/time.sql.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { resourceEventPairs } from '#core/issuables/resource-events/exchange/resource-events-json.sql.js';
import { labelLinksJson } from '#core/labels/exchange/label-json.sql.js';
import { milestoneJson } from '#core/milestones/exchange/milestone-json.sql.js';
import { emojiJson } from '#core/notes/exchange/emoji.js';
import { notesJson } from '#core/notes/exchange/note-json.sql.js';
import { timelogsJson } from '#core/notes/exchange/timelogs.js';
import { subscriptionsJson } from '#core/subscriptions/exchange/subscriptions-exchange.js';

const people = (table: string, pairs: string): string =>
  `(select coalesce(json_agg(json_build_object('user_id', x.user_id${pairs}) order by x.user_id), '[]')
    from ${table} x where x.merge_request_id = m.id)`;

const created = `, 'created_at', ${isoTimeSql('x.created_at')}`;

const diffPairs = (
  alias: string,
): string => `'base_commit_sha', ${alias}.base_sha, 'start_commit_sha', ${alias}.start_sha,
  'head_commit_sha', ${alias}.head_sha, 'real_size', coalesce(${alias}.changes_count, '0'), 'state', 'collected'`;

/** In several parts, because functions take at most a hundred arguments. */
const COLUMNS = `jsonb_build_object('id', m.id, 'iid', m.iid, 'title', m.title, 'description', m.description, 'author_id', m.author_id,
    'source_branch', m.source_branch, 'target_branch', m.target_branch, 'source_project_id', m.source_project_id,
    'target_project_id', m.project_id, 'state', m.state, 'merge_status', m.merge_status, 'draft', m.draft, 'squash', m.squash,
    'merge_commit_sha', m.merge_commit_sha, 'squash_commit_sha', m.squash_commit_sha, 'diff_head_sha', m.head_sha,
    'source_branch_sha', m.head_sha, 'target_branch_sha', m.start_sha, 'merge_user_id', m.merge_user_id,
    'merge_params', jsonb_build_object('force_remove_source_branch', m.force_remove_source_branch,
      'should_remove_source_branch', m.should_remove_source_branch),
    'allow_maintainer_to_push', m.allow_collaboration, 'discussion_locked', m.discussion_locked, 'time_estimate', m.time_estimate,
    'prepared_at', ${isoTimeSql('m.prepared_at')}, 'created_at', ${isoTimeSql('m.created_at')}, 'updated_at', ${isoTimeSql('m.updated_at')})`;

const CODE = `jsonb_build_object('metrics', jsonb_build_object('merged_at', ${isoTimeSql('m.merged_at')}, 'merged_by_id', m.merge_user_id,
      'latest_closed_at', ${isoTimeSql('m.closed_at')}, 'latest_closed_by_id', m.closed_by_id),
    'merge_request_diff', jsonb_build_object(${diffPairs('m')}),
    'merge_request_versions', (select coalesce(json_agg(json_build_object(${diffPairs('v')}, 'created_at', ${isoTimeSql('v.created_at')})
      order by v.id), '[]') from merge_request_versions v where v.merge_request_id = m.id),
    'head_pipeline', (select json_build_object('iid', p.iid) from ci_pipelines p where p.id = m.head_pipeline_id and p.project_id = m.project_id))`;

const TALK = `jsonb_build_object('merge_request_assignees', ${people('merge_request_assignees', '')},
    'merge_request_reviewers', ${people('merge_request_reviewers', `, 'state', x.state${created}`)},
    'approvals', ${people('merge_request_approvals', created)},
    'label_links', ${labelLinksJson('MergeRequest', 'merge_request_labels', 'merge_request_id', 'm.id')},
    'milestone', ${milestoneJson('m.milestone_id')}, 'timelogs', ${timelogsJson('MergeRequest', 'm.id')},
    'subscriptions', ${subscriptionsJson('MergeRequest', 'm.id')}, 'award_emoji', ${emojiJson('MergeRequest', 'm.id')},
    'notes', ${notesJson('MergeRequest', 'm.id')},
    ${resourceEventPairs(MERGE_REQUEST, 'm.id')})`;

/**
 * A page of the merge requests of a project in the format of v4 servers, extended by former versions and
 * subscriptions.
 */
export const MERGE_REQUESTS_PAGE = `select m.id, (${COLUMNS} || ${CODE} || ${TALK})::text as json
  from merge_requests m where m.project_id = $1 and m.id > $2 order by m.project_id, m.id limit $3`;
