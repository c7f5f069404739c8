import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Integer, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { CreateNoteParams } from '../notes.params.js';

const Sha = (): PropertyDecorator => Text({ matches: /^[0-9a-f]{40}$/ });
const Path = (): PropertyDecorator => Text({ optional: true, nullable: true, maxLength: 4096 });
const Coordinate = (): PropertyDecorator =>
  Integer({ optional: true, nullable: true, min: 0, max: 2_147_483_647 });

/** Line, or point of an image, in a diff to which a discussion belongs. */
export class DiffPosition {
  @Sha()
  base_sha!: string;

  @Sha()
  start_sha!: string;

  @Sha()
  head_sha!: string;

  @OneOf(['text', 'image', 'file'])
  position_type!: 'text' | 'image' | 'file';

  @Path()
  new_path?: string | null;

  @Path()
  old_path?: string | null;

  @Coordinate()
  new_line?: number | null;

  @Coordinate()
  old_line?: number | null;

  @Coordinate()
  width?: number | null;

  @Coordinate()
  height?: number | null;

  @Coordinate()
  x?: number | null;

  @Coordinate()
  y?: number | null;
}

/** Parameters of a new discussion. */
export class CreateDiscussionParams extends CreateNoteParams {
  @Nested(() => DiffPosition, { optional: true, description: 'Of a merge request: where in its changes' })
  position?: DiffPosition;
}

/** Path parameters of a discussion. */
export class FindDiscussionParams {
  @Text({ maxLength: 255 })
  discussion_id!: string;
}

/** Parameters of a reply. */
export class ReplyToDiscussionParams extends FindDiscussionParams {
  @Text({ maxLength: 1_000_000, example: 'I agree' })
  body!: string;

  @IsoTime({ optional: true, description: 'Owners and administrators only; ignored for other callers' })
  created_at?: Date;
}

/** Path parameters of a note of a discussion. */
export class FindDiscussionNoteParams extends FindDiscussionParams {
  @Id({ min: 0 })
  note_id!: number;
}

/** Parameters of an update: the text of a note, or whether its discussion is resolved. */
export class UpdateDiscussionNoteParams extends FindDiscussionNoteParams {
  @Text({ optional: true, blank: false, maxLength: 1_000_000 })
  body?: string;

  @Flag({ optional: true, description: 'Of a merge request' })
  resolved?: boolean;
}

/** Parameters for resolving a discussion. */
export class ResolveDiscussionParams extends FindDiscussionParams {
  @Flag()
  resolved!: boolean;
}
