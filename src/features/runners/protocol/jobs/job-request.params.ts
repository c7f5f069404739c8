import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Integer, Text } from '#kernel/http/fields/scalar-fields.js';
import { VerifyRunnerParams } from '../registration/registration.params.js';
import { RunnerInfo } from '../runner-info.params.js';

/** Parameters of a job request; the facts about terminal sessions are not used. */
export class RequestJobParams extends VerifyRunnerParams {
  @Text({ optional: true, maxLength: 255, description: 'Last value of `X-GitLab-Last-Update`' })
  last_update?: string;

  @Integer({
    optional: true,
    min: 0,
    max: 2_147_483_647,
    description: 'Seconds that the job must have waited',
  })
  job_age?: number;

  @Nested(() => RunnerInfo, { optional: true })
  info?: RunnerInfo;
}
