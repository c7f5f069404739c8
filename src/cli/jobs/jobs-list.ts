import { JobListing, type JobStanding, type ListedJob } from '#kernel/queue/console/job-listing.js';
import { QueueStates, type QueueStanding } from '#kernel/queue/console/queue-states.js';
import { withServices } from '../framework/context.js';
import { CommandError, type CommandResult } from '../framework/output.js';

interface ListOptions {
  readonly state?: JobStanding;
  readonly queue?: string;
  readonly limit: number;
}

/** Lists the queues, or the jobs in a state. */
export function listJobs({ state, queue, limit }: ListOptions): Promise<CommandResult> {
  return withServices(async ({ app }) => {
    const queues = await app.get(QueueStates).now();
    if (queue !== undefined) requireQueue(queues, queue);
    if (state === undefined) return showQueues(queues, queue);
    const jobs = await app.get(JobListing).list({ standing: state, queue }, limit);
    return { json: jobs, lines: jobs.length === 0 ? [`no job is ${state}`] : jobs.map(lineOf) };
  });
}

/** @throws CommandError if there is no such queue: nothing waits, or has failed, in a mistyped one */
export function requireQueue(queues: readonly QueueStanding[], name: string): void {
  if (!queues.some(({ queue }) => queue === name))
    throw new CommandError(`There is no queue ${name}, only ${queues.map(({ queue }) => queue).join(', ')}`);
}

function showQueues(queues: readonly QueueStanding[], only: string | undefined): CommandResult {
  const shown = queues.filter(({ queue }) => only === undefined || queue === only);
  const lines = shown.map(({ queue, waiting, oldestSeconds, running, delayed, failed, pausedAt }) => {
    const since = waiting > 0 ? ` (oldest ${Math.round(oldestSeconds)} s)` : '';
    const paused = pausedAt ? `, paused since ${pausedAt.toISOString()}` : '';
    return `${queue}: ${waiting} waiting${since}, ${running} running, ${delayed} delayed, ${failed} failed${paused}`;
  });
  return { json: shown, lines };
}

function lineOf({ id, queue, name, attempt, standing, payload, ...job }: ListedJob): string {
  const times = {
    waiting: `due since ${job.runAt.toISOString()}`,
    running: `for ${Math.round(job.runningSeconds ?? 0)} s`,
    delayed: `due at ${job.runAt.toISOString()}`,
    failed: `at ${job.failedAt?.toISOString() ?? ''}`,
  };
  const error = job.error === null ? '' : `: ${job.error}`;
  return `${id} ${name} (${queue}) ${standing} ${times[standing]}, attempt ${attempt}${error} ${payload ?? '(payload too large)'}`;
}
