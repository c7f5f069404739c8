import type { CiStatus } from '../../jobs/job-status.js';
import { readiness, type Readiness } from './job-readiness.js';
import type { PipelineJob, PipelineJobs } from './pipeline-jobs.js';

/** What is done with a job that may go on. */
export type Step = Exclude<Readiness, 'wait'>;

/** What a job is taken for until its step is done: nothing that comes after it goes on before. */
const EXPECTED: Readonly<Record<Step, CiStatus>> = {
  start: 'pending',
  skip: 'skipped',
  manual: 'manual',
  delay: 'scheduled',
};

/** The jobs of a pipeline that may go on, by what is to be done with them; in `jobs` they are taken for what they are about to become. */
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
