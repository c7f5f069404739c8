import { Id } from '#kernel/http/fields/scalar-fields.js';
import { FindEpicParams } from '../epics.params.js';

/** Parameters of an issue to add to an epic. */
export class LinkEpicIssueParams extends FindEpicParams {
  @Id({ min: 0, description: 'Id of the issue, not its number' })
  issue_id!: number;
}

/** Path parameters of an association. */
export class FindEpicIssueParams extends FindEpicParams {
  @Id({ min: 0 })
  epic_issue_id!: number;
}

/** Neighbours between which an association is moved. */
export class MoveEpicIssueParams extends FindEpicIssueParams {
  @Id({ optional: true, nullable: true, description: 'Association that comes right before it' })
  move_before_id?: number | null;

  @Id({ optional: true, nullable: true, description: 'Association that comes right after it' })
  move_after_id?: number | null;
}
