import { Text } from '#kernel/http/fields/scalar-fields.js';

const Duration = (): PropertyDecorator =>
  Text({ maxLength: 255, description: 'In units mo, w, d (8 h), h, m and s', example: '3h 30m' });

/** Parameters of an estimate. */
export class EstimateTimeParams {
  @Duration()
  duration!: string;
}

/** Parameters of spent time. */
export class SpendTimeParams {
  @Duration()
  duration!: string;

  @Text({ optional: true, nullable: true, description: 'On what' })
  summary?: string | null;
}
