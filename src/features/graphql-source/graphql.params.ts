import { Anything, Text } from '#kernel/http/fields/scalar-fields.js';

/** Parameters of a query. */
export class RunQueryParams {
  @Text({ maxLength: 10_000 })
  query!: string;

  @Anything({ optional: true, nullable: true, description: 'An object, or its JSON text' })
  variables?: unknown;

  @Text({ optional: true, nullable: true, maxLength: 255 })
  operationName?: string | null;
}
