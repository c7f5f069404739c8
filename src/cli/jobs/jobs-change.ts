import { BackgroundJobsService } from '#features/background-jobs/background-jobs.service.js';
import { QueueStates } from '#kernel/queue/console/queue-states.js';
import { withServices } from '../framework/context.js';
import type { CommandResult } from '../framework/output.js';
import { requireQueue } from './jobs-list.js';

/** Actor of the command line in the audit log. */
const OPERATOR = { id: -1, name: 'The command line' };

const withJobs = <T>(work: (jobs: BackgroundJobsService, queues: QueueStates) => Promise<T>): Promise<T> =>
  withServices(({ app }) => work(app.get(BackgroundJobsService, { strict: false }), app.get(QueueStates)));

interface OfJob {
  readonly id: number;
}

interface OfQueue {
  readonly queue: string;
}

/** Runs a job again. */
export const retryJob = ({ id }: OfJob): Promise<CommandResult> =>
  withJobs(async (jobs) => {
    const name = await jobs.retry(OPERATOR, id);
    return { json: { id, name, state: 'waiting' }, lines: [`${name} ${id} will run again`] };
  });

/** Removes a failed job. */
export const discardJob = ({ id }: OfJob): Promise<CommandResult> =>
  withJobs(async (jobs) => {
    const name = await jobs.discard(OPERATOR, id);
    return { json: { id, name, state: 'discarded' }, lines: [`${name} ${id} was discarded`] };
  });

/** Pauses a queue, so that its jobs do not start. */
export const pauseQueue = ({ queue }: OfQueue): Promise<CommandResult> =>
  withJobs(async (jobs, queues) => {
    requireQueue(await queues.now(), queue);
    const changed = await jobs.pause(OPERATOR, queue);
    return {
      json: { queue, paused: true },
      lines: [changed ? `Queue ${queue} is paused` : `Queue ${queue} was paused already`],
    };
  });

/** Resumes a queue. */
export const resumeQueue = ({ queue }: OfQueue): Promise<CommandResult> =>
  withJobs(async (jobs, queues) => {
    requireQueue(await queues.now(), queue);
    const changed = await jobs.resume(OPERATOR, queue);
    return {
      json: { queue, paused: false },
      lines: [changed ? `Queue ${queue} is resumed` : `Queue ${queue} was not paused`],
    };
  });
