import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

const Body = (): PropertyDecorator => Text({ maxLength: 1_000_000, example: 'Looks good to me' });

/** Filters and order of the notes of a noteable. */
export class ListNotesParams {
  @OneOf(['created_at', 'updated_at', 'id'], { optional: true, description: 'created_at unless given' })
  order_by?: 'created_at' | 'updated_at' | 'id';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: desc' })
  sort?: 'asc' | 'desc';

  @OneOf(['all_notes', 'only_comments', 'only_activity'], { optional: true })
  activity_filter?: 'all_notes' | 'only_comments' | 'only_activity';
}

/** Parameters of a new note. */
export class CreateNoteParams {
  @Body()
  body!: string;

  @Flag({ optional: true, description: 'Visible only to those who may read internal notes' })
  internal?: boolean;

  @Flag({ optional: true, description: 'The older name of internal' })
  confidential?: boolean;

  @IsoTime({ optional: true, description: 'Owners and administrators only; ignored for other callers' })
  created_at?: Date;

  @Text({
    optional: true,
    nullable: true,
    maxLength: 64,
    description: 'Of a merge request, for /merge: its head as the caller has seen it',
  })
  merge_request_diff_head_sha?: string | null;

  @Text({
    optional: true,
    nullable: true,
    maxLength: 64,
    description: 'The same as merge_request_diff_head_sha, as some clients name it',
  })
  merge_request_diff_sha?: string | null;
}

/** Path parameters of a note. */
export class FindNoteParams {
  @Id({ min: 0 })
  note_id!: number;
}

/** Parameters of an update of a note. */
export class UpdateNoteParams extends FindNoteParams {
  @Body()
  body!: string;
}
