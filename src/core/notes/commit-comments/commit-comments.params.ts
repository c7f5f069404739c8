import { Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** As in positions of notes, so that comments can be exported. */
const MAX_LINE = 2_147_483_647;

/** Path parameters of the commit of comments. */
export class ListCommitCommentsParams {
  @Text({ maxLength: 1024, description: 'Id of a commit, or name of a branch or tag' })
  sha!: string;
}

/** Parameters of a new comment on a commit. */
export class CreateCommitCommentParams extends ListCommitCommentsParams {
  @Text({ maxLength: 1_000_000, example: 'Nicely done' })
  note!: string;

  @Text({ optional: true, maxLength: 4096, description: 'The file of the line' })
  path?: string;

  @Integer({ optional: true, min: 1, max: MAX_LINE, requiredWith: 'path' })
  line?: number;

  @OneOf(['new', 'old'], { optional: true, description: 'Side of the change; default: new' })
  line_type?: 'new' | 'old';
}
