import { Text } from '#kernel/http/fields/scalar-fields.js';

const Duration = (): PropertyDecorator =>
  Text({ maxLength: 255, description: 'In units mo, w, d (8 h), h, m and s', example: '3h 30m' });

/** How long something will take. */
export class EstimateTimeParams {
  @Duration()
  duration!: string;
}

/** Time that was spent on something. */
export class SpendTimeParams {
  @Duration()
  duration!: string;

  @Text({ optional: true, nullable: true, description: 'On what' })
  summary?: string | null;
}
