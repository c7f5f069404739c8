const EPIC_JSON = `select jsonb_build_object('id', ie.id, 'iid', ie.iid, 'group_id', ie.group_id, 'title', ie.title,
    'url', '/groups/' || (select ig.full_path from namespaces ig where ig.id = ie.group_id) || '/-/epics/' || ie.iid)`;

/**
 * SQL expression: the epic of the issue with this id as JSON of `IssueEpicRecord`, or null; not all readers
 * of the issue may see it.
 */
export const issueEpicSql = (issueId: string): string =>
  `(${EPIC_JSON} from epic_issues il join epics ie on ie.id = il.epic_id where il.issue_id = ${issueId})`;

/** The same for the epic with this number in a group, if all issues are in it. */
export const numberedEpicSql = (groupId: string, iid: string): string =>
  `(${EPIC_JSON} from epics ie where ie.group_id = ${groupId} and ie.iid = ${iid})`;
