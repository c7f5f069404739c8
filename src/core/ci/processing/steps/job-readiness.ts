import { isFinished, type CiStatus } from '../../jobs/job-status.js';
import type { PipelineJob } from './pipeline-jobs.js';

/** Next step of a created job. */
export type Readiness = 'wait' | 'start' | 'skip' | 'manual' | 'delay';

/** Decides the next step of a job by the status of the jobs before it; needed jobs must have succeeded. */
export function readiness(job: Pick<PipelineJob, 'when' | 'attempt' | 'needs'>, before: CiStatus): Readiness {
  if (!isFinished(before)) return 'wait';
  if (job.when === 'always') return 'start';
  if (job.when === 'on_failure') return before === 'failed' ? 'start' : 'skip';
  const isFine = before === 'success' || (before === 'skipped' && job.needs === null);
  if (!isFine) return 'skip';
  // An automatic retry was already played or delayed before.
  if (job.attempt > 0) return 'start';
  if (job.when === 'manual') return 'manual';
  return job.when === 'delayed' ? 'delay' : 'start';
}
