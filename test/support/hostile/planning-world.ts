import type { Part } from './world.js';

const ISSUE = /\/issues\/:issue_iid/;
const MERGE_REQUEST = /\/merge_requests\//;
const SNIPPET = /\/snippets\//;
const EPIC = /\/epics\//;
const GROUP = /^\/api\/v4\/groups/;
const ANY = /^/;

/** Objects for path parameters of planning: the foreign ones belong to other objects, of other projects. */
export const PLANNING_PARTS: readonly Part[] = [
  { name: 'label_id', path: GROUP, here: 1602, foreign: 1603 },
  { name: 'label_id', path: ANY, here: 1600, foreign: 1601 },
  { name: 'milestone_id', path: GROUP, here: 1612, foreign: 1613 },
  { name: 'milestone_id', path: ANY, here: 1610, foreign: 1611 },
  { name: 'issue_iid', path: ANY, here: 1620, foreign: 1621 },
  { name: 'issue_id', path: EPIC, here: 1622 },
  { name: 'issue_id', path: ANY, here: 1620 },
  { name: 'merge_request_iid', path: ANY, here: 1630, foreign: 1631 },
  { name: 'version_id', path: ANY, here: 1640, foreign: 1641 },
  { name: 'note_id', path: ISSUE, here: 1650, foreign: 1651 },
  { name: 'note_id', path: MERGE_REQUEST, here: 1652, foreign: 1650 },
  { name: 'note_id', path: SNIPPET, here: 1653, foreign: 1651 },
  { name: 'note_id', path: EPIC, here: 1654, foreign: 1655 },
  { name: 'discussion_id', path: ISSUE, here: 'd1650', foreign: 'd1651' },
  { name: 'discussion_id', path: MERGE_REQUEST, here: 'd1652', foreign: 'd1650' },
  { name: 'discussion_id', path: SNIPPET, here: 'd1653', foreign: 'd1650' },
  { name: 'award_id', path: /\/issues\/.*\/notes\//, here: 1663, foreign: 1664 },
  { name: 'award_id', path: /\/merge_requests\/.*\/notes\//, here: 1664, foreign: 1663 },
  { name: 'award_id', path: /\/snippets\/.*\/notes\//, here: 1665, foreign: 1663 },
  { name: 'award_id', path: EPIC, here: 1666, foreign: 1663 },
  { name: 'award_id', path: ISSUE, here: 1660, foreign: 1661 },
  { name: 'award_id', path: MERGE_REQUEST, here: 1661, foreign: 1660 },
  { name: 'award_id', path: SNIPPET, here: 1662, foreign: 1660 },
  { name: 'epic_iid', path: ANY, here: 1670, foreign: 1671 },
  { name: 'epic_id', path: ANY, here: 1670, foreign: 1671 },
  { name: 'epic_issue_id', path: ANY, here: 1680, foreign: 1681 },
  { name: 'approval_rule_id', path: ANY, here: 1690, foreign: 1691 },
  { name: 'kind', path: /\/profile\/notifications/, here: 'groups' },
  { name: 'source_id', path: /\/profile\/notifications/, here: 200 },
];

/** Tables whose new rows stay apart from these. */
export const PLANNING_TABLES = [
  'labels',
  'milestones',
  'issues',
  'merge_requests',
  'merge_request_versions',
  'notes',
  'award_emoji',
  'epics',
  'epic_issues',
  'approval_rules',
  'sent_notifications',
];

/** Issues, merge requests, epics and their dependent objects, in this project and another one. */
export const PLANNING = `
  insert into labels (id, project_id, group_id, title, color) values (1600, 300, null, 'l', '#fff'), (1601, 301, null, 'l', '#fff'),
    (1602, null, 200, 'g', '#fff'), (1603, null, 201, 'g', '#fff') on conflict do nothing;
  insert into milestones (id, project_id, group_id, iid, title) values (1610, 300, null, 1610, 'm'), (1611, 301, null, 1611, 'm'),
    (1612, null, 200, 1612, 'g'), (1613, null, 201, 1613, 'g') on conflict do nothing;
  insert into issues (id, project_id, iid, author_id, title) values (1620, 300, 1620, 103, 'i'), (1621, 301, 1621, 103, 'i'),
    (1622, 300, 1622, 103, 'i') on conflict do nothing;
  insert into merge_requests (id, project_id, iid, author_id, title, source_project_id, source_branch, target_branch, head_sha, start_sha) values
    (1630, 300, 1630, 103, 'm', 300, 'b', 'main', repeat('b', 40), repeat('a', 40)),
    (1631, 301, 1631, 103, 'm', 301, 'b', 'main', repeat('b', 40), repeat('a', 40)) on conflict do nothing;
  insert into merge_request_versions (id, merge_request_id, start_sha, head_sha) values
    (1640, 1630, repeat('a', 40), repeat('b', 40)), (1641, 1631, repeat('a', 40), repeat('b', 40)) on conflict do nothing;
  insert into epics (id, group_id, iid, author_id, title) values (1670, 200, 1670, 103, 'e'), (1671, 201, 1671, 103, 'e') on conflict do nothing;
  insert into epic_issues (id, epic_id, issue_id, relative_position) values (1680, 1670, 1620, 0), (1681, 1671, 1621, 0) on conflict do nothing;
  insert into notes (id, noteable_type, noteable_id, project_id, group_id, author_id, type, discussion_id, body) values
    (1650, 'Issue', 1620, 300, null, 103, 'DiscussionNote', 'd1650', 'n'), (1651, 'Issue', 1621, 301, null, 103, 'DiscussionNote', 'd1651', 'n'),
    (1652, 'MergeRequest', 1630, 300, null, 103, 'DiscussionNote', 'd1652', 'n'), (1653, 'Snippet', 900, 300, null, 103, 'DiscussionNote', 'd1653', 'n'),
    (1654, 'Epic', 1670, null, 200, 103, null, 'd1654', 'n'), (1655, 'Epic', 1671, null, 201, 103, null, 'd1655', 'n') on conflict do nothing;
  insert into award_emoji (id, name, user_id, awardable_type, awardable_id) values (1660, 'tada', 103, 'Issue', 1620),
    (1661, 'tada', 103, 'MergeRequest', 1630), (1662, 'tada', 103, 'Snippet', 900), (1663, 'tada', 103, 'Note', 1650),
    (1664, 'tada', 103, 'Note', 1652), (1665, 'tada', 103, 'Note', 1653), (1666, 'tada', 103, 'Note', 1654) on conflict do nothing;
  insert into approval_rules (id, project_id, name, approvals_required) values (1690, 300, 'r', 1), (1691, 301, 'r', 1) on conflict do nothing;
  insert into sent_notifications (id, unsubscribe_key, event_id, event, user_id, target_type, target_id, project_id) values
    (1700, repeat('a', 32), 'e', '{}', 101, 'Issue', 1620, 300) on conflict do nothing;`;

/** Restores them. */
export const RESTORE_PLANNING = `
     update issues set state = 'opened', moved_to_id = null where id in (1620, 1621, 1622);
     update merge_requests set state = 'opened', locked_at = null where id in (1630, 1631);`;
