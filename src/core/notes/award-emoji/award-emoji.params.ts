import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindNoteParams } from '../notes.params.js';

/** One emoji of a thing. */
export class FindAwardParams {
  @Id({ min: 0 })
  award_id!: number;
}

/** A new emoji of a thing. */
export class CreateAwardParams {
  @Text({ maxLength: 255, description: 'Name of an emoji, without colons', example: 'thumbsup' })
  name!: string;
}

/** One emoji of a note. */
export class FindNoteAwardParams extends FindNoteParams {
  @Id({ min: 0 })
  award_id!: number;
}

/** A new emoji of a note. */
export class CreateNoteAwardParams extends FindNoteParams {
  @Text({ maxLength: 255, description: 'Name of an emoji, without colons', example: 'thumbsup' })
  name!: string;
}
