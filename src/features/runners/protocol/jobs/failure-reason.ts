import { FAILURE_REASONS, type FailureReason } from '#core/ci/jobs/job-status.js';

/** Why a runner says that a job has failed; what nobody knows is an unknown one. */
export const failureReasonOf = (reason: string | undefined): FailureReason =>
  FAILURE_REASONS.find((known) => known === reason) ?? 'unknown_failure';
