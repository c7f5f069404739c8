import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { LabelList } from '#core/issuables/fields/label-names-field.js';
import { Title } from '#core/issuables/fields/title.field.js';
import { MAX_DESCRIPTION } from '#core/issuables/text.rules.js';

const EXAMPLE = 'Draft: Load pages faster';

const Branch = (optional: boolean, example: string): PropertyDecorator =>
  Text({ optional, blank: false, maxLength: 1_024, example });

const Users = (description: string): PropertyDecorator =>
  List(Id(), { optional: true, nullable: true, commaSeparated: true, description });

/** Parameters that creating and updating share. */
export class MergeRequestValuesParams {
  @Text({ optional: true, nullable: true, maxLength: MAX_DESCRIPTION })
  description?: string | null;

  @Users('0 for nobody')
  assignee_ids?: number[] | null;

  @Id({ optional: true, nullable: true, description: 'Id of a single assignee; use assignee_ids' })
  assignee_id?: number | null;

  @Users('0 for nobody')
  reviewer_ids?: number[] | null;

  @Id({ optional: true, nullable: true, description: '0 for none' })
  milestone_id?: number | null;

  @LabelList({ nullable: true, description: 'Names; unknown ones become labels of the project' })
  labels?: string[] | null;

  @Flag({ optional: true, description: 'Whether merging it removes the source branch' })
  remove_source_branch?: boolean;

  @Flag({ optional: true, description: 'Whether members of the target project may push to the branch' })
  allow_collaboration?: boolean;

  @Flag({ optional: true, description: 'The older name of allow_collaboration' })
  allow_maintainer_to_push?: boolean;

  @Flag({ optional: true })
  squash?: boolean;
}

/** Parameters of a new merge request. */
export class CreateMergeRequestParams extends MergeRequestValuesParams {
  @Title({ optional: false, example: EXAMPLE })
  title!: string;

  @Branch(false, 'faster-pages')
  source_branch!: string;

  @Branch(false, 'main')
  target_branch!: string;

  @Id({ optional: true, description: 'Default: the project itself' })
  target_project_id?: number;
}

/** Path parameters of a merge request. */
export class FindMergeRequestParams {
  @Id({ min: 0 })
  merge_request_iid!: number;
}

/** Parameters of a merge request, with optional parts. */
export class ShowMergeRequestParams extends FindMergeRequestParams {
  @Flag({ optional: true })
  render_html?: boolean;

  @Flag({ optional: true })
  include_diverged_commits_count?: boolean;

  @Flag({ optional: true })
  include_rebase_in_progress?: boolean;
}

/** Parameters of an update of a merge request. */
export class UpdateMergeRequestParams extends MergeRequestValuesParams {
  @Id({ min: 0 })
  merge_request_iid!: number;

  @Title({ optional: true, example: EXAMPLE })
  title?: string;

  @Branch(true, 'main')
  target_branch?: string;

  @OneOf(['close', 'reopen'], { optional: true })
  state_event?: 'close' | 'reopen';

  @LabelList({ optional: true })
  add_labels?: string[];

  @LabelList({ optional: true })
  remove_labels?: string[];

  @Flag({ optional: true, nullable: true })
  discussion_locked?: boolean | null;
}
