import { Flag, Id, Integer, IsoDate, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { LabelList } from '#core/issuables/fields/label-names-field.js';
import { Title } from '#core/issuables/fields/title.field.js';
import { MAX_DESCRIPTION } from '#core/issuables/text.rules.js';
import { HEALTH_STATUSES, ISSUE_TYPES, type IssueType } from './issue.entity.js';

/** Maximum of PostgreSQL's integer. */
const MAX_INTEGER = 2_147_483_647;

const EXAMPLE = 'Pages load slowly';

/** Parameters that creating and updating share. */
class IssueValuesParams {
  @Text({ optional: true, nullable: true, maxLength: MAX_DESCRIPTION })
  description?: string | null;

  @List(Id(), { optional: true, nullable: true, commaSeparated: true, description: '0 for nobody' })
  assignee_ids?: number[] | null;

  @Id({ optional: true, nullable: true, description: 'Id of a single assignee; use assignee_ids' })
  assignee_id?: number | null;

  @Id({ optional: true, nullable: true, description: '0 for none' })
  milestone_id?: number | null;

  @LabelList({ nullable: true, description: 'Names; unknown ones become labels of the project' })
  labels?: string[] | null;

  @IsoDate({ optional: true, nullable: true })
  due_date?: string | null;

  @Flag({ optional: true })
  confidential?: boolean;

  @Flag({ optional: true })
  discussion_locked?: boolean;

  @OneOf(ISSUE_TYPES, { optional: true })
  issue_type?: IssueType;

  @Integer({ optional: true, nullable: true, min: 0, max: MAX_INTEGER, description: 'Premium' })
  weight?: number | null;

  @OneOf(HEALTH_STATUSES, { optional: true, nullable: true, description: 'Premium' })
  health_status?: (typeof HEALTH_STATUSES)[number] | null;

  @Id({ optional: true, nullable: true, description: 'Premium; 0 for none' })
  epic_id?: number | null;
}

/** Parameters of a new issue. */
export class CreateIssueParams extends IssueValuesParams {
  @Title({ optional: false, example: EXAMPLE })
  title!: string;

  @IsoTime({ optional: true, description: 'Owners and administrators only; ignored for other callers' })
  created_at?: Date;

  @Integer({
    optional: true,
    min: 1,
    max: MAX_INTEGER,
    description: 'Owners and administrators only; ignored for other callers',
  })
  iid?: number;

  @Id({ optional: true, min: 0, description: 'Number of a merge request whose discussions continue here' })
  merge_request_to_resolve_discussions_of?: number;

  @Text({
    optional: true,
    blankIsNull: true,
    maxLength: 255,
    description: 'Id of the discussion, if only one continues',
  })
  discussion_to_resolve?: string;
}

/** Path parameters of an issue. */
export class FindIssueParams {
  @Id({ min: 0 })
  issue_iid!: number;
}

/** Parameters of an update of an issue. */
export class UpdateIssueParams extends IssueValuesParams {
  @Id({ min: 0 })
  issue_iid!: number;

  @Title({ optional: true, example: EXAMPLE })
  title?: string;

  @OneOf(['close', 'reopen'], { optional: true })
  state_event?: 'close' | 'reopen';

  @LabelList({ optional: true })
  add_labels?: string[];

  @LabelList({ optional: true })
  remove_labels?: string[];

  @IsoTime({
    optional: true,
    refusesNull: true,
    description: 'Owners and administrators only; ignored for other callers',
  })
  updated_at?: Date;
}

/** Parameters of a move. */
export class MoveIssueParams extends FindIssueParams {
  @Id({ min: 0 })
  to_project_id!: number;
}

/** Parameters of a clone. */
export class CloneIssueParams extends MoveIssueParams {
  @Flag({ optional: true, description: 'Whether its notes are copied too' })
  with_notes?: boolean;
}

/** Ids of the issues between which an issue is moved. */
export class ReorderIssueParams extends FindIssueParams {
  @Id({ optional: true, description: 'Id of the issue before it' })
  move_after_id?: number;

  @Id({ optional: true, description: 'Id of the issue after it' })
  move_before_id?: number;
}

/** Id of an issue. */
export class FindIssueByIdParams {
  @Id({ min: 0 })
  issue_id!: number;
}
