import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindEpicParams } from '../epics.params.js';

/** Path parameters of a child epic. */
export class FindEpicChildParams extends FindEpicParams {
  @Id({ min: 0, description: 'Id of the epic, not its number' })
  child_epic_id!: number;
}

/** Parameters of a new child epic. */
export class CreateEpicChildParams extends FindEpicParams {
  @Text({ blank: true, trim: true, maxLength: 255, example: 'Prices in other currencies' })
  title!: string;

  @Flag({ optional: true, description: 'Default: as the parent epic' })
  confidential?: boolean;
}

/** Neighbours between which an epic is moved. */
export class MoveEpicChildParams extends FindEpicChildParams {
  @Id({ optional: true, nullable: true, description: 'Id of the epic that comes right before it' })
  move_before_id?: number | null;

  @Id({ optional: true, nullable: true, description: 'Id of the epic that comes right after it' })
  move_after_id?: number | null;
}
