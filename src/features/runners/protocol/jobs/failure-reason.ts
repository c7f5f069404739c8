const REASON = /^[a-z][a-z0-9_]{0,63}$/;

/** Why a runner says that a job has failed; whatever is no reason at all is an unknown one. */
export const failureReasonOf = (reason: string | undefined): string =>
  reason !== undefined && REASON.test(reason) ? reason : 'unknown_failure';
