import { Anything, Text } from '#kernel/http/fields/scalar-fields.js';

const MAX_LENGTH = 255;

/** Facts that a runner reports about itself. */
export class RunnerInfo {
  @Text({ optional: true, maxLength: MAX_LENGTH })
  name?: string;

  @Text({ optional: true, maxLength: MAX_LENGTH })
  version?: string;

  @Text({ optional: true, maxLength: MAX_LENGTH })
  revision?: string;

  @Text({ optional: true, maxLength: MAX_LENGTH })
  platform?: string;

  @Text({ optional: true, maxLength: MAX_LENGTH })
  architecture?: string;

  @Text({ optional: true, maxLength: MAX_LENGTH })
  executor?: string;

  @Anything({ optional: true, description: 'Its features: names with true or false' })
  features?: unknown;

  @Anything({ optional: true, description: 'Of its configuration, only `gpus` is stored' })
  config?: unknown;
}
