import { defineJob } from '#kernel/queue/job-definition.js';

/** Applies the plan of the license that is valid from today. */
export const ApplyLicensesJob = defineJob({
  name: 'instance.apply-licenses',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 10_000 },
  schedule: { cron: '0 0 * * *', payload: {} },
});
