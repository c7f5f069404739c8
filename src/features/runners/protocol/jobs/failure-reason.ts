import { FAILURE_REASONS, type FailureReason } from '#core/ci/jobs/job-status.js';

/** Returns the failure reason that a runner reports; `unknown_failure` if it is not known. */
export const failureReasonOf = (reason: string | undefined): FailureReason =>
  FAILURE_REASONS.find((known) => known === reason) ?? 'unknown_failure';
