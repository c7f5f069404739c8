import { Decimal, Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { MAX_COVERAGE } from '../traces/coverage.js';

/** States that can be reported from outside. */
export const EXTERNAL_STATES = ['pending', 'running', 'success', 'failed', 'canceled'] as const;

/** State reported from outside. */
export type ExternalState = (typeof EXTERNAL_STATES)[number];

/** Parameters of a new commit status. */
export class SetCommitStatusParams {
  @Text({ description: 'Commit' })
  sha!: string;

  @OneOf(EXTERNAL_STATES)
  state!: ExternalState;

  @Text({ optional: true, description: 'Branch or tag; default: one that contains the commit' })
  ref?: string;

  @Text({ optional: true, maxLength: 255, description: 'Default: default' })
  name?: string;

  @Text({ optional: true, maxLength: 255, description: 'Another word for name' })
  context?: string;

  @Text({ optional: true, maxLength: 255, description: 'URL with details' })
  target_url?: string;

  @Text({ optional: true, maxLength: 255 })
  description?: string;

  @Decimal({ optional: true, min: 0, max: MAX_COVERAGE, description: 'Percent' })
  coverage?: number;

  @Id({ optional: true, description: 'The pipeline among several of the commit' })
  pipeline_id?: number;
}

/** Filters of the statuses of a commit. */
export class ListCommitStatusesParams {
  @Text()
  sha!: string;

  @Text({ optional: true })
  ref?: string;

  @Text({ optional: true })
  stage?: string;

  @Text({ optional: true })
  name?: string;

  @Id({ optional: true })
  pipeline_id?: number;

  @Flag({ optional: true, description: 'All statuses; default: the latest of each name' })
  all?: boolean;

  @OneOf(['id', 'pipeline_id'], { optional: true, description: 'Default: id' })
  order_by?: 'id' | 'pipeline_id';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: asc' })
  sort?: 'asc' | 'desc';
}
