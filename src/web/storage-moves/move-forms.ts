import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { MoveState } from '#features/storage-moves/storage-move.js';
import { MOVE_KINDS, MOVE_STATES, type MoveKind } from './move-texts.js';

/** Filters of the move list; an empty value means no filter. */
export class MoveFilters {
  @OneOf(['', ...MOVE_STATES], { optional: true })
  state: MoveState | '' = '';

  @OneOf(['', ...MOVE_KINDS], { optional: true })
  kind: MoveKind | '' = '';
}

/** Values of the form for everything on a storage, as entered. */
export class BulkForm {
  @Text({ optional: true, maxLength: 20 })
  moved_kind = 'project';

  @Text({ optional: true, maxLength: 255 })
  source_storage_name = '';

  @Text({ optional: true, maxLength: 255 })
  destination_storage_name = '';

  /** Whether the dry-run button was pressed. */
  @Flag({ optional: true })
  dry_run = false;
}

/** Values of the form for one project, snippet or group, as entered. */
export class SingleForm {
  @Text({ optional: true, maxLength: 20 })
  owner_kind = 'project';

  @Text({ optional: true, maxLength: 1000, trim: true })
  owner = '';

  @Text({ optional: true, maxLength: 255 })
  owner_destination = '';
}

/** Path parameters of a move. */
export class MovePath {
  @Id({ min: 1 })
  id!: number;
}
