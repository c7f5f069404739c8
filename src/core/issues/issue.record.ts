import { Tier } from '#kernel/access/roles.js';
import { Anything, Count, Flag, Id, IsoDate, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import type { Links } from '#kernel/http/links.js';
import { issuableColumns, issuableFrom, type IssuableRow } from '#core/issuables/issuable-columns.sql.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { IssuableRecord, presentIssuable } from '#core/issuables/issuable.record.js';
import { references, ReferencesRecord } from '#core/issuables/references.record.js';
import { taskStatus } from '#core/issuables/task-completion.record.js';
import { HEALTH_STATUSES, ISSUE_TYPES, type IssueType } from './issue.entity.js';
import { IssueEpicRecord } from './epics/issue-epic.record.js';
import { issueEpicSql } from './epics/issue-epic.sql.js';

/** URLs about an issue. */
export class IssueLinksRecord {
  @Text()
  self!: string;

  @Text()
  notes!: string;

  @Text()
  award_emoji!: string;

  @Text()
  project!: string;

  @Text({ nullable: true })
  closed_as_duplicate_of!: string | null;
}

/** An issue (`api-v4.md` 2.14, `planning.md` 5.2). */
export class IssueRecord extends IssuableRecord {
  @OneOf(['opened', 'closed'])
  state!: 'opened' | 'closed';

  @OneOf(ISSUE_TYPES.map((type) => type.toUpperCase()))
  type!: string;

  @OneOf(ISSUE_TYPES)
  issue_type!: IssueType;

  @Count({
    description: 'Merge requests into the default branch that will close it and that the caller may read',
  })
  merge_requests_count!: number;

  @IsoDate({ nullable: true })
  due_date!: string | null;

  @Flag()
  confidential!: boolean;

  @Text()
  web_url!: string;

  @Flag()
  has_tasks!: boolean;

  @Text({
    optional: true,
    description: 'Of an issue with tasks',
    example: '1 of 3 checklist items completed',
  })
  task_status?: string;

  @Nested(() => IssueLinksRecord)
  _links!: IssueLinksRecord;

  @Nested(() => ReferencesRecord)
  references!: ReferencesRecord;

  @Text({ example: 'UNKNOWN' })
  severity!: string;

  @Id({ nullable: true })
  moved_to_id!: number | null;

  @Text({ nullable: true })
  service_desk_reply_to!: string | null;

  @Count({ nullable: true, description: 'Premium' })
  weight!: number | null;

  @OneOf(HEALTH_STATUSES, { nullable: true, description: 'Premium' })
  health_status!: string | null;

  @Nested(() => IssueEpicRecord, { nullable: true, description: 'Premium' })
  epic!: IssueEpicRecord | null;

  @Id({ nullable: true, description: 'Premium' })
  epic_iid!: number | null;

  @Anything({ nullable: true, description: 'Issues have no iterations here' })
  iteration!: null;

  @Flag({ optional: true, description: 'Only for single issues: whether the caller is subscribed' })
  subscribed?: boolean;
}

/** Row of an issue by `issueColumns`. */
export interface IssueRow extends IssuableRow {
  readonly state: 'opened' | 'closed';
  readonly issue_type: IssueType;
  /** Read by `issueCounts`, because it depends on the reader. */
  readonly merge_requests_count: number;
  readonly due_date: string | null;
  readonly confidential: boolean;
  readonly severity: string;
  readonly moved_to_id: number | null;
  readonly weight: number | null;
  readonly health_status: string | null;
  readonly epic: IssueEpicRecord | null;
  /** Only for single issues. */
  readonly subscribed?: boolean;
}

/** Tables of `issueColumns`: the issue `i`, its project `p` and its author `a`. */
export const ISSUE_FROM = issuableFrom(ISSUE);

/**
 * Select list of an `IssueRow` without `issueCounts`, over `ISSUE_FROM`; `epic`: optional cheaper expression
 * for the epic of these issues.
 */
export const issueColumns = (withLabelDetails = false, epic = issueEpicSql('i.id')): string =>
  `${issuableColumns(ISSUE, withLabelDetails)}, i.state, i.issue_type,
    i.due_date, i.confidential, i.severity, i.moved_to_id, i.weight, i.health_status, ${epic} as epic`;

/** Select list with the names of labels. */
export const ISSUE_COLUMNS = issueColumns();

/** Facts about the caller and request that a record depends on. */
export interface IssueView {
  readonly tier: Tier;
  /** Path of the project or group of the request, or null. */
  readonly viewedFrom: string | null;
  /** Epics that the caller may see. */
  readonly readableEpicIds: ReadonlySet<number>;
}

/** Presents an issue. */
export function presentIssue(
  row: IssueRow,
  { tier, viewedFrom, readableEpicIds }: IssueView,
  links: Links,
): IssueRecord {
  const project = `/projects/${row.project_id}`;
  const self = links.api(`${project}/issues/${row.iid}`);
  const isPremium = tier >= Tier.Premium;
  const epic = isPremium && row.epic && readableEpicIds.has(row.epic.id) ? row.epic : null;
  return Object.assign(presentIssuable(row, links), {
    state: row.state,
    type: row.issue_type.toUpperCase(),
    issue_type: row.issue_type,
    merge_requests_count: row.merge_requests_count,
    due_date: row.due_date,
    confidential: row.confidential,
    web_url: `${links.project(row.full_path)}/-/issues/${row.iid}`,
    has_tasks: row.task_count > 0,
    ...(row.task_count > 0 ? { task_status: taskStatus(row) } : {}),
    _links: {
      self,
      notes: `${self}/notes`,
      award_emoji: `${self}/award_emoji`,
      project: links.api(project),
      closed_as_duplicate_of: null,
    },
    references: references(row.full_path, row.iid, '#', viewedFrom),
    severity: row.severity.toUpperCase(),
    moved_to_id: row.moved_to_id,
    service_desk_reply_to: null,
    weight: isPremium ? row.weight : null,
    health_status: isPremium ? row.health_status : null,
    epic,
    epic_iid: epic?.iid ?? null,
    iteration: null,
    ...(row.subscribed === undefined ? {} : { subscribed: row.subscribed }),
  });
}
