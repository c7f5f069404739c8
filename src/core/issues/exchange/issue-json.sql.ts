import { Role } from '#kernel/access/roles.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { resourceEventPairs } from '#core/issuables/resource-events/exchange/resource-events-json.sql.js';
import { labelLinksJson } from '#core/labels/exchange/label-json.sql.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import { milestoneJson } from '#core/milestones/exchange/milestone-json.sql.js';
import { emojiJson } from '#core/notes/exchange/emoji.js';
import { notesJson } from '#core/notes/exchange/note-json.sql.js';
import { timelogsJson } from '#core/notes/exchange/timelogs.js';
import { subscriptionsJson } from '#core/subscriptions/exchange/subscriptions-exchange.js';
import { isAdminSql } from '#core/users/admin.sql.js';
import { ISSUE_LINKS_JSON } from '../exchange/issue-links-json.sql.js';

const ASSIGNEES = `(select coalesce(json_agg(json_build_object('user_id', xu.user_id) order by xu.user_id), '[]')
    from issue_assignees xu where xu.issue_id = i.id)`;

/**
 * SQL condition in pages of records: whether the exporting user ($4) has a role in the group of an epic that
 * another record names.
 */
export const mayKnowEpicSql = (
  epic: string,
): string => `exists (select from users xr join namespaces xn on xn.id = ${epic}.group_id where xr.id = $4 and (${isAdminSql('xr')}
      or ${groupRoleSql('xr.id', 'xn')} >= case when ${epic}.confidential then ${Role.Reporter} else ${Role.Guest} end
      or not ${epic}.confidential and (xn.visibility = 'public' or xn.visibility = 'internal' and not xr.external)))`;

const EPIC = `(select json_build_object('relative_position', xi.relative_position, 'epic', json_build_object('id', xe.id, 'iid', xe.iid,
      'title', xe.title, 'group_id', xe.group_id, 'group_path', (select xg.full_path from namespaces xg where xg.id = xe.group_id)))
    from epic_issues xi join epics xe on xe.id = xi.epic_id where xi.issue_id = i.id and ${mayKnowEpicSql('xe')})`;

/**
 * A page of the issues of a project, in the order of ids, with everything that belongs to them; each part is
 * read by an index.
 */
export const ISSUES_PAGE = `select i.id, json_build_object('id', i.id, 'iid', i.iid, 'project_id', i.project_id, 'title', i.title,
    'description', i.description, 'author_id', i.author_id, 'state', i.state, 'confidential', i.confidential, 'due_date', i.due_date,
    'weight', i.weight, 'health_status', i.health_status, 'issue_type', i.issue_type, 'severity', i.severity,
    'discussion_locked', i.discussion_locked, 'relative_position', i.relative_position,
    'created_at', ${isoTimeSql('i.created_at')}, 'updated_at', ${isoTimeSql('i.updated_at')}, 'closed_at', ${isoTimeSql('i.closed_at')},
    'closed_by_id', i.closed_by_id, 'time_estimate', i.time_estimate, 'timelogs', ${timelogsJson('Issue', 'i.id')},
    'issue_assignees', ${ASSIGNEES}, 'label_links', ${labelLinksJson('Issue', 'issue_labels', 'issue_id', 'i.id')},
    'milestone', ${milestoneJson('i.milestone_id')}, 'epic_issue', ${EPIC}, 'issue_links', ${ISSUE_LINKS_JSON}, 'award_emoji', ${emojiJson('Issue', 'i.id')},
    'subscriptions', ${subscriptionsJson('Issue', 'i.id')}, 'notes', ${notesJson('Issue', 'i.id')},
    ${resourceEventPairs(ISSUE, 'i.id')})::text as json
  from issues i where i.project_id = $1 and i.id > $2 order by i.id limit $3`;
