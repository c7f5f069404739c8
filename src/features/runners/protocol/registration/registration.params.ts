import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { RUNNER_ACCESS_LEVELS } from '#core/ci/runners/runner.entity.js';
import { RunnerInfo } from '../runner-info.params.js';

const MAX_TOKEN = 255;
const MAX_NOTE = 1024;

/** The token of a runner. */
export class RunnerTokenParams {
  @Text({ maxLength: MAX_TOKEN })
  token!: string;
}

/** The token of a runner, with its machine. */
export class VerifyRunnerParams extends RunnerTokenParams {
  @Text({ optional: true, maxLength: 64 })
  system_id?: string;
}

/** A machine of a runner. */
export class RunnerMachineParams extends RunnerTokenParams {
  @Text({ maxLength: 64 })
  system_id!: string;
}

/** Parameters of a registration. */
export class RegisterRunnerParams extends RunnerTokenParams {
  @Text({ optional: true, maxLength: MAX_NOTE })
  description?: string;

  @Text({ optional: true, maxLength: MAX_NOTE })
  maintenance_note?: string;

  @Text({ optional: true, maxLength: MAX_NOTE })
  maintainer_note?: string;

  @List(Text({ maxLength: 1000 }), { optional: true, commaSeparated: true })
  tag_list?: string[];

  @Flag({ optional: true })
  run_untagged?: boolean;

  @Flag({ optional: true })
  locked?: boolean;

  @OneOf(RUNNER_ACCESS_LEVELS, { optional: true })
  access_level?: (typeof RUNNER_ACCESS_LEVELS)[number];

  @Integer({ optional: true, min: 0, max: 2_147_483_647, description: 'Seconds, at least 600' })
  maximum_timeout?: number;

  @Flag({ optional: true })
  paused?: boolean;

  @Flag({ optional: true })
  active?: boolean;

  @Nested(() => RunnerInfo, { optional: true })
  info?: RunnerInfo;
}
