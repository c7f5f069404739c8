import { FINISHED_STATUSES, isFinished } from '../../jobs/job-status.js';
import type { PipelineJob } from './pipeline-jobs.js';

/** Whether the jobs that need this one have to wait, regardless of the status of the others that they need. */
export const blocks = ({ status, allowFailure }: Pick<PipelineJob, 'status' | 'allowFailure'>): boolean =>
  !isFinished(status) && !(status === 'manual' && allowFailure);

/** SQL condition of `blocks`; statuses from outside are not needed. */
export const blocksSql = (job: string): string =>
  `${job}.kind <> 'status' and ${job}.status not in (${FINISHED_STATUSES.map((one) => `'${one}'`).join(', ')})
    and not (${job}.status = 'manual' and ${job}.allow_failure)`;
