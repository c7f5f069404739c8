import type { CiStatus } from '../../jobs/job-status.js';
import { readiness, type Readiness } from './job-readiness.js';
import type { PipelineJob, PipelineJobs } from './pipeline-jobs.js';

/** Step of a job that can continue. */
export type Step = Exclude<Readiness, 'wait'>;

/** Status that a job is assumed to have until its step is done, so that later jobs keep waiting. */
const EXPECTED: Readonly<Record<Step, CiStatus>> = {
  start: 'pending',
  skip: 'skipped',
  manual: 'manual',
  delay: 'scheduled',
};

/** Groups the jobs that can continue by their step, and sets their expected status in `jobs`. */
export function takeSteps(jobs: PipelineJobs): ReadonlyMap<Step, readonly PipelineJob[]> {
  const steps = new Map<Step, PipelineJob[]>();
  for (const job of jobs.inOrder()) {
    if (job.status !== 'created' || job.kind === 'status') continue;
    const step = readiness(job, jobs.statusBefore(job));
    if (step === 'wait') continue;
    job.status = EXPECTED[step];
    const same = steps.get(step);
    if (same) same.push(job);
    else steps.set(step, [job]);
  }
  return steps;
}
