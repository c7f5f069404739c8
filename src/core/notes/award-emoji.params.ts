import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { FindNote } from './notes.params.js';

/** One emoji of a thing. */
export class FindAward {
  @Id({ min: 0 })
  award_id!: number;
}

/** A new emoji of a thing. */
export class CreateAward {
  @Text({ maxLength: 255, description: 'Name of an emoji, without colons', example: 'thumbsup' })
  name!: string;
}

/** One emoji of a note. */
export class FindNoteAward extends FindNote {
  @Id({ min: 0 })
  award_id!: number;
}

/** A new emoji of a note. */
export class CreateNoteAward extends FindNote {
  @Text({ maxLength: 255, description: 'Name of an emoji, without colons', example: 'thumbsup' })
  name!: string;
}
