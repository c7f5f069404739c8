import type { LabelLinkTable } from '#core/labels/reach/label-columns.sql.js';

/** A table that hangs users on things. */
export interface PeopleTable {
  readonly table:
    | 'issue_assignees'
    | 'merge_request_assignees'
    | 'merge_request_reviewers'
    | 'alert_assignees';
  /** Its column with the thing's id. */
  readonly key: string;
}

/** What the statements that all kinds share must know of one kind. */
export interface IssuableKind {
  /** Type as notes, subscriptions and events name it. */
  readonly type: 'Issue' | 'MergeRequest' | 'Epic';
  /** Name for people, as in `404 <name> Not Found`. */
  readonly name: string;
  readonly table: 'issues' | 'merge_requests' | 'epics';
  /** Alias of its table in every statement. */
  readonly alias: 'i' | 'm' | 'e';
  /** What stands before the number where texts name it. */
  readonly sign: '#' | '!' | '&';
  readonly labels: { readonly table: LabelLinkTable; readonly key: string };
  /** Null for what nobody is assigned to. */
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
