import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { JobDefinition } from '../jobs/definition/job-definition.js';
import type { Job } from '../jobs/job.entity.js';
import type { FailureReason } from '../jobs/job-status.js';
import { CloneJobs } from './clone-jobs.use-case.js';

type Rules = Pick<JobDefinition, 'retry' | 'allowFailureExitCodes'>;

const RULES = `select definition -> 'retry' as retry, definition -> 'allowFailureExitCodes' as "allowFailureExitCodes"
  from ci_job_definitions where job_id = $1`;

/** Failure reasons that a retry cannot fix. */
const FINAL: ReadonlySet<string> = new Set<FailureReason>([
  'missing_dependency_failure',
  'forward_deployment_failure',
  'deployment_rejected',
  'protected_environment_failure',
  'environment_creation_failure',
  'user_blocked',
  'project_deleted',
  'builds_disabled',
  'runner_unsupported',
]);

/** Applies the rules of a definition about failures: which are allowed, and which are retried. */
@Injectable()
export class AutomaticRetryService {
  constructor(private readonly cloning: CloneJobs) {}

  /** Returns whether the job is allowed to fail with this exit code. */
  async isTolerated(tx: Tx, job: Job, exitCode: number | undefined): Promise<boolean> {
    if (job.kind !== 'build' || exitCode === undefined || job.allowFailure) return false;
    return (await rules(tx, job))?.allowFailureExitCodes?.includes(exitCode) ?? false;
  }

  /**
   * Replaces a failed job by a new one, unless its retries are used up or its failure is not to be
   * retried.
   */
  async retry(tx: Tx, job: Job): Promise<void> {
    if (job.kind !== 'build' || FINAL.has(job.failureReason ?? '')) return;
    const retry = (await rules(tx, job))?.retry;
    if (!retry || job.attempt >= retry.max) return;
    if (!isWanted(retry, job)) return;
    await this.cloning.run(tx, [job], { attempt: job.attempt + 1 });
  }
}

function isWanted({ when, exitCodes }: Rules['retry'], { failureReason, exitCode }: Job): boolean {
  if (exitCodes?.some((code) => code === exitCode)) return true;
  return when.length === 0
    ? exitCodes === undefined
    : when.includes('always') || when.includes(failureReason ?? '');
}

const rules = async (tx: Tx, { id }: Job): Promise<Rules | undefined> =>
  (await tx.query<Rules[]>(RULES, [id]))[0];
