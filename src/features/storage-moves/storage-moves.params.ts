import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';

const NAME = { maxLength: 255 } as const;

/** Parameters for moving all owners of a storage. */
export class ScheduleAllParams {
  @Text({ ...NAME, example: 'default' })
  source_storage_name!: string;

  @Text({ ...NAME, nullable: true, description: 'Null: each is chosen by weight' })
  destination_storage_name!: string | null;

  @Flag({ optional: true, description: 'Only reports what would be moved' })
  dry_run?: boolean;
}

/** Path parameters of a move. */
export class FindMoveParams {
  @Id()
  repository_storage_move_id!: number;
}

/** A project or group by id or full path, a snippet by id. */
export class FindOwnerParams {
  @Text({ maxLength: 1024 })
  id!: string;
}

/** Path parameters of a move of an owner. */
export class FindMoveOfOwnerParams extends FindOwnerParams {
  @Id()
  repository_storage_move_id!: number;
}

/** Parameters for moving one owner. */
export class ScheduleOneParams extends FindOwnerParams {
  @Text({ ...NAME, optional: true, nullable: true, description: 'Default: chosen by weight' })
  destination_storage_name?: string | null;
}
