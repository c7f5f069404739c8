import { Text } from '#kernel/http/fields/scalar-fields.js';

/** Where what an SDK sends is meant to go. */
export class ErrorIntakePlaceParams {
  @Text({ blank: true, description: 'Id of the project' })
  id!: string;
}
