import { defineJob } from '#kernel/queue/job-definition.js';

/** Gives the instance the plan of the licence that holds from today on. */
export const ApplyLicensesJob = defineJob({
  name: 'instance.apply-licenses',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 10_000 },
  schedule: { cron: '0 0 * * *', payload: {} },
});
