import { isFinished, type CiStatus } from '../../jobs/job-status.js';
import type { PipelineJob } from './pipeline-jobs.js';

/** What is to become of a job that was created. */
export type Readiness = 'wait' | 'start' | 'skip' | 'manual' | 'delay';

/** What is to become of a job, by the status of what it waits for; of needs, success alone counts. */
export function readiness(job: Pick<PipelineJob, 'when' | 'attempt' | 'needs'>, before: CiStatus): Readiness {
  if (!isFinished(before)) return 'wait';
  if (job.when === 'always') return 'start';
  if (job.when === 'on_failure') return before === 'failed' ? 'start' : 'skip';
  const isFine = before === 'success' || (before === 'skipped' && job.needs === null);
  if (!isFine) return 'skip';
  // One that is tried again by itself has been played, or has waited, before.
  if (job.attempt > 0) return 'start';
  if (job.when === 'manual') return 'manual';
  return job.when === 'delayed' ? 'delay' : 'start';
}
