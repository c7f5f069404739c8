import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindNoteParams } from '../notes.params.js';

/** Path parameters of an emoji of a noteable. */
export class FindAwardParams {
  @Id({ min: 0 })
  award_id!: number;
}

/** Parameters of a new emoji of a noteable. */
export class CreateAwardParams {
  @Text({ maxLength: 255, description: 'Name of an emoji, without colons', example: 'thumbsup' })
  name!: string;
}

/** Path parameters of an emoji of a note. */
export class FindNoteAwardParams extends FindNoteParams {
  @Id({ min: 0 })
  award_id!: number;
}

/** Parameters of a new emoji of a note. */
export class CreateNoteAwardParams extends FindNoteParams {
  @Text({ maxLength: 255, description: 'Name of an emoji, without colons', example: 'thumbsup' })
  name!: string;
}
