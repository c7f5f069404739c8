import { Text } from '#kernel/http/fields/scalar-fields.js';

/** Path parameters of the intake. */
export class ErrorIntakeProjectParams {
  @Text({ blank: true, description: 'Id of the project' })
  id!: string;
}
