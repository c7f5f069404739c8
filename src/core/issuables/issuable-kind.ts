import type { LabelLinkTable } from '#core/labels/reach/label-columns.sql.js';

/** A table that links users to issuables. */
export interface PeopleTable {
  readonly table:
    | 'issue_assignees'
    | 'merge_request_assignees'
    | 'merge_request_reviewers'
    | 'alert_assignees';
  /** Column with the id of the issuable. */
  readonly key: string;
}

/** Facts of a kind of issuables that shared statements need. */
export interface IssuableKind {
  /** Type in notes, subscriptions and events. */
  readonly type: 'Issue' | 'MergeRequest' | 'Epic';
  /** Name for users, as in `404 <name> Not Found`. */
  readonly name: string;
  readonly table: 'issues' | 'merge_requests' | 'epics';
  /** Alias of its table in all statements. */
  readonly alias: 'i' | 'm' | 'e';
  /** Prefix of the number in texts. */
  readonly sign: '#' | '!' | '&';
  readonly labels: { readonly table: LabelLinkTable; readonly key: string };
  /** Null for kinds without assignees. */
  readonly assignees: PeopleTable | null;
}

/** Issues. */
export const ISSUE: IssuableKind = {
  type: 'Issue',
  name: 'Issue',
  table: 'issues',
  alias: 'i',
  sign: '#',
  labels: { table: 'issue_labels', key: 'issue_id' },
  assignees: { table: 'issue_assignees', key: 'issue_id' },
};

/** Merge requests. */
export const MERGE_REQUEST: IssuableKind = {
  type: 'MergeRequest',
  name: 'Merge Request',
  table: 'merge_requests',
  alias: 'm',
  sign: '!',
  labels: { table: 'merge_request_labels', key: 'merge_request_id' },
  assignees: { table: 'merge_request_assignees', key: 'merge_request_id' },
};

/** Epics. */
export const EPIC: IssuableKind = {
  type: 'Epic',
  name: 'Epic',
  table: 'epics',
  alias: 'e',
  sign: '&',
  labels: { table: 'epic_labels', key: 'epic_id' },
  assignees: null,
};
