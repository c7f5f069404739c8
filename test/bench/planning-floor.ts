type Row = Record<string, unknown>;

const PEOPLE = `(select json_agg(json_build_object('id', a.id, 'username', a.username, 'name', a.name, 'state', a.state))
    from LINK_assignees l join users a on a.id = l.user_id where l.LINK_id = x.id) as assignees`;
const LABELS = `(select array_agg(b.title order by b.title) from LINK_labels l join labels b on b.id = l.label_id where l.LINK_id = x.id) as labels`;
const AUTHOR = 'u.id as user_id, u.username, u.name, u.state as user_state';
const CLOSER = 'c.id as c_id, c.username as c_username, c.name as c_name, c.state as c_state';
const MILESTONE = `m.id as m_id, m.iid as m_iid, m.title as m_title, m.description as m_description, m.state as m_state,
    m.created_at as m_created_at, m.updated_at as m_updated_at, m.due_date as m_due_date, m.start_date as m_start_date`;

const NEWEST = 'order by x.id desc limit $2';

const issuables = (link: 'issue' | 'merge_request', more: string, which = NEWEST): string =>
  `select x.*, p.full_path, ${AUTHOR}, ${CLOSER}, ${MILESTONE}, ${PEOPLE}, ${LABELS}, ${more} from ${link}s x join projects p on p.id = x.project_id
     left join users u on u.id = x.author_id left join users c on c.id = x.closed_by_id
     left join milestones m on m.id = x.milestone_id where x.project_id = $1 ${which}`.replaceAll('LINK', link);

const EPIC = `(select json_build_object('id', e.id, 'iid', e.iid, 'title', e.title) from epic_issues ei join epics e on e.id = ei.epic_id where ei.issue_id = x.id) as epic`;
const CLOSING = '(select count(*) from merge_requests_closing_issues k where k.issue_id = x.id) as closing';
const REVIEWERS = `(select json_agg(json_build_object('id', a.id, 'username', a.username, 'name', a.name, 'state', a.state))
    from merge_request_reviewers l join users a on a.id = l.user_id where l.merge_request_id = x.id) as reviewers`;
const MERGER = `(select json_build_object('id', a.id, 'username', a.username, 'name', a.name, 'state', a.state) from users a where a.id = x.merge_user_id) as merge_user`;

/**
 * Statements of a bare server for the newest rows of a project, by the last part of the path; values:
 * project, limit.
 */
export const PLANNING_LISTS: Readonly<Record<string, string>> = {
  issues: issuables('issue', `${EPIC}, ${CLOSING}`),
  merge_requests: issuables('merge_request', `${REVIEWERS}, ${MERGER}`),
  events: `select e.*, u.username, u.name, u.state as user_state, i.title from events e join users u on u.id = e.author_id
    left join issues i on i.id = e.target_id where e.project_id = $1 order by e.created_at desc, e.id desc limit $2`,
};

/** The issue of a number with what its record shows; values: project, number. */
export const PLANNING_ISSUE = issuables('issue', `${EPIC}, ${CLOSING}`, 'and x.iid = $2');

/** Its statement for totals; value: project. */
export const EVENT_COUNT = 'select count(*) as total from (select 1 from events where project_id = $1 limit 10001) counted';

/** The role in a group; values: user, group. */
export const GROUP_ROLE = `select n.id, n.visibility, max(m.access_level) as level from namespaces n
  left join members m on m.user_id = $1 and m.source_type = 'Namespace' and m.source_id = any(n.traversal_ids) where n.id = $2 group by n.id`;

/** The issues of a group's first epic with its total; values: group, limit. */
export const EPIC_ISSUES = `select x.*, p.full_path, ${AUTHOR}, ${CLOSER}, ${MILESTONE}, ${PEOPLE}, ${LABELS}, ${CLOSING}, ei.id as epic_issue_id, ei.relative_position,
    json_build_object('id', e.id, 'iid', e.iid, 'title', e.title) as epic, count(*) over () as total
  from epics e join epic_issues ei on ei.epic_id = e.id join issues x on x.id = ei.issue_id join projects p on p.id = x.project_id
    left join users u on u.id = x.author_id left join users c on c.id = x.closed_by_id left join milestones m on m.id = x.milestone_id
  where e.group_id = $1 and e.iid = 1 order by ei.relative_position, ei.id limit $2`.replaceAll('LINK', 'issue');

const HOST = 'http://localhost:3000';

const user = (row: Row, prefix = ''): Row | null => {
  const at = (name: string): unknown => row[`${prefix}${name}`];
  if ((at('id') ?? null) === null) return null;
  return { id: at('id'), username: at('username'), name: at('name'), state: at('state'), avatar_url: null, web_url: `${HOST}/${String(at('username'))}` };
};

const author = (row: Row): Row | null => user({ id: row['user_id'], username: row['username'], name: row['name'], state: row['user_state'] });

const users = (list: unknown): (Row | null)[] => ((list ?? []) as Row[]).map((one) => user(one));

function milestone(row: Row, project: string): Row | null {
  if (row['m_id'] === null) return null;
  const due = row['m_due_date'] as string | null;
  return {
    id: row['m_id'], iid: row['m_iid'], project_id: row['project_id'], title: row['m_title'], description: row['m_description'], state: row['m_state'],
    created_at: row['m_created_at'], updated_at: row['m_updated_at'], due_date: due, start_date: row['m_start_date'],
    expired: due !== null && due < new Date().toISOString().slice(0, 10), web_url: `${project}/-/milestones/${String(row['m_iid'])}`,
  };
}

/** The common part of issue and merge request records, written by hand. */
function issuable(row: Row): Row {
  const assignees = users(row['assignees']);
  const project = `${HOST}/${String(row['full_path'])}`;
  return {
    id: row['id'], iid: row['iid'], project_id: row['project_id'], title: row['title'], description: row['description'], created_at: row['created_at'],
    updated_at: row['updated_at'], closed_at: row['closed_at'], closed_by: user(row, 'c_'), labels: row['labels'] ?? [], milestone: milestone(row, project),
    assignees, author: author(row), assignee: assignees[0] ?? null, user_notes_count: row['user_notes_count'], upvotes: row['upvotes'], downvotes: row['downvotes'],
    discussion_locked: row['discussion_locked'], time_stats: { time_estimate: row['time_estimate'], total_time_spent: row['total_time_spent'], human_time_estimate: null, human_total_time_spent: null },
    task_completion_status: { count: row['task_count'], completed_count: row['completed_task_count'] }, state: row['state'],
  };
}

function issue(row: Row): Row {
  const path = String(row['full_path']);
  const self = `${HOST}/api/v4/projects/${String(row['project_id'])}/issues/${String(row['iid'])}`;
  const name = `#${String(row['iid'])}`;
  return {
    ...issuable(row), type: String(row['issue_type']).toUpperCase(), issue_type: row['issue_type'], merge_requests_count: row['closing'], due_date: row['due_date'],
    confidential: row['confidential'], web_url: `${HOST}/${path}/-/issues/${String(row['iid'])}`, has_tasks: Number(row['task_count']) > 0,
    _links: { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project: `${HOST}/api/v4/projects/${String(row['project_id'])}`, closed_as_duplicate_of: null },
    references: { short: name, relative: name, full: `${path}${name}` }, severity: String(row['severity']).toUpperCase(), moved_to_id: row['moved_to_id'],
    service_desk_reply_to: null, weight: row['weight'], health_status: row['health_status'], epic: row['epic'], epic_iid: null, iteration: null,
  };
}

function mergeRequest(row: Row): Row {
  const path = String(row['full_path']);
  const name = `!${String(row['iid'])}`;
  return {
    ...issuable(row), web_url: `${HOST}/${path}/-/merge_requests/${String(row['iid'])}`, merged_by: row['merge_user'], merge_user: row['merge_user'], merged_at: row['merged_at'],
    reviewers: users(row['reviewers']), target_branch: row['target_branch'], source_branch: row['source_branch'], source_project_id: row['source_project_id'],
    target_project_id: row['project_id'], draft: false, work_in_progress: false, merge_when_pipeline_succeeds: false, merge_status: row['merge_status'],
    detailed_merge_status: 'not_open', sha: row['head_sha'], merge_commit_sha: row['merge_commit_sha'], squash_commit_sha: row['squash_commit_sha'],
    should_remove_source_branch: null, force_remove_source_branch: null, prepared_at: null, reference: name, references: { short: name, relative: name, full: `${path}${name}` },
    squash: row['squash'], squash_on_merge: row['squash'], has_conflicts: false, blocking_discussions_resolved: true, approvals_before_merge: null,
  };
}

const ACTIONS: Readonly<Record<number, string>> = { 21: 'pushed to', 33: 'opened', 35: 'closed' };

function event(row: Row): Row {
  const isPush = row['kind'] === 21;
  return {
    id: row['id'], title: null, project_id: row['project_id'], action_name: ACTIONS[Number(row['kind'])], target_id: row['target_id'], target_iid: row['target_iid'],
    target_type: isPush ? null : 'Issue', author_id: row['author_id'], target_title: row['title'], created_at: row['created_at'],
    author: user({ id: row['author_id'], username: row['username'], name: row['name'], state: row['user_state'] }), author_username: row['username'], data: null,
    ...(isPush ? { push_data: row['payload'] } : {}),
  };
}

/** Records of such rows, as the product returns them. */
export const PLANNING_RECORDS: Readonly<Record<string, (row: Row) => Row>> = { issues: issue, merge_requests: mergeRequest, events: event };
