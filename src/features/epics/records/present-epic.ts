import type { Links } from '#kernel/http/links.js';
import type { IssuableRow } from '#core/issuables/issuable-columns.sql.js';
import { presentAuthor, presentLabels } from '#core/issuables/issuable.record.js';
import { references } from '#core/issuables/references.record.js';
import type { EpicBasicRecord, EpicRecord } from './epic.record.js';
import type { PrefixedUser } from '#core/users/records/user-basic.record.js';

/** Row of an epic by `EPIC_BASIC_COLUMNS`. */
export interface EpicBasicRow extends PrefixedUser<'a_'> {
  readonly id: number;
  readonly iid: number;
  readonly group_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly start_date_is_fixed: boolean;
  readonly start_date_fixed: string | null;
  readonly start_date_inherited: string | null;
  readonly due_date_is_fixed: boolean;
  readonly due_date_fixed: string | null;
  readonly due_date_inherited: string | null;
}

/** Row of a parent epic. */
export interface ParentRow {
  readonly id: number;
  readonly iid: number;
  readonly group_id: number;
}

/** Row of an epic by `epicColumns`. */
export interface EpicRow extends EpicBasicRow {
  readonly full_path: string;
  readonly confidential: boolean;
  readonly state: 'opened' | 'closed';
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly labels: IssuableRow['labels'];
  readonly upvotes: number;
  readonly downvotes: number;
  readonly parent: ParentRow | null;
  /** Only for single epics. */
  readonly subscribed?: boolean;
}

/** Facts about the caller and request that a record depends on. */
export interface EpicView {
  readonly viewedFrom: string | null;
  readonly mayChange: boolean;
  /** Parents that the caller may see. */
  readonly readableParentIds: ReadonlySet<number>;
}

const startOf = (row: EpicBasicRow): string | null =>
  row.start_date_is_fixed ? row.start_date_fixed : row.start_date_inherited;

const endOf = (row: EpicBasicRow): string | null =>
  row.due_date_is_fixed ? row.due_date_fixed : row.due_date_inherited;

/** Presents the short form of an epic. */
export const presentEpicBasic = (row: EpicBasicRow, links: Links): EpicBasicRecord => ({
  id: row.id,
  iid: row.iid,
  group_id: row.group_id,
  title: row.title,
  description: row.description,
  author: presentAuthor(row, links),
  start_date: startOf(row),
  end_date: endOf(row),
});

/** Presents an epic. */
export function presentEpic(
  row: EpicRow,
  { viewedFrom, mayChange, readableParentIds }: EpicView,
  links: Links,
): EpicRecord {
  const parent = row.parent && readableParentIds.has(row.parent.id) ? row.parent : null;
  const group = `/groups/${row.group_id}`;
  const self = links.api(`${group}/epics/${row.iid}`);
  const page = `/-/epics/${row.iid}`;
  const named = references(row.full_path, row.iid, '&', viewedFrom);
  return Object.assign(presentEpicBasic(row, links), {
    parent_id: parent?.id ?? null,
    parent_iid: parent?.iid ?? null,
    confidential: row.confidential,
    due_date: endOf(row),
    ...(mayChange ? dates(row) : {}),
    state: row.state,
    web_edit_url: `/groups/${row.full_path}${page}`,
    web_url: `${links.group(row.full_path)}${page}`,
    references: named,
    reference: named.relative,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    labels: presentLabels(row.labels),
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    ...(row.subscribed === undefined ? {} : { subscribed: row.subscribed }),
    _links: {
      self,
      epic_issues: `${self}/issues`,
      group: links.api(group),
      parent: parent && links.api(`/groups/${parent.group_id}/epics/${parent.iid}`),
    },
  });
}

const dates = (row: EpicBasicRow): Partial<EpicRecord> => ({
  start_date_is_fixed: row.start_date_is_fixed,
  start_date_fixed: row.start_date_fixed,
  start_date_from_inherited_source: row.start_date_inherited,
  start_date_from_milestones: row.start_date_inherited,
  due_date_is_fixed: row.due_date_is_fixed,
  due_date_fixed: row.due_date_fixed,
  due_date_from_inherited_source: row.due_date_inherited,
  due_date_from_milestones: row.due_date_inherited,
});
