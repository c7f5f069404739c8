import { List } from '#kernel/http/fields/composite-fields.js';
import { Anything } from '#kernel/http/fields/scalar-fields.js';

/** What was asked for, or why not. */
export class QueryResultRecord {
  @Anything({ optional: true, nullable: true, description: 'What was asked for' })
  data?: unknown;

  @List(Anything(), { optional: true, description: 'Problems, each with a `message`' })
  errors?: unknown[];
}
