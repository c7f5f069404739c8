import { List } from '#kernel/http/fields/composite-fields.js';
import { Anything } from '#kernel/http/fields/scalar-fields.js';

/** Result of a query, or its errors. */
export class QueryResultRecord {
  @Anything({ optional: true, nullable: true, description: 'The requested data' })
  data?: unknown;

  @List(Anything(), { optional: true, description: 'Problems, each with a `message`' })
  errors?: unknown[];
}
