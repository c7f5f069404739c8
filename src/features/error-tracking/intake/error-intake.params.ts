import { Text } from '#kernel/http/fields/scalar-fields.js';

/** Where what an SDK sends is meant to go. */
export class ErrorIntakePlace {
  @Text({ blank: true, description: 'Id of the project' })
  id!: string;
}
