import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { JobDefinition } from '../jobs/definition/job-definition.js';
import type { Job } from '../jobs/job.entity.js';
import type { FailureReason } from '../jobs/job-status.js';
import { CloneJobs } from './clone-jobs.use-case.js';

type Rules = Pick<JobDefinition, 'retry' | 'allowFailureExitCodes'>;

const RULES = `select definition -> 'retry' as retry, definition -> 'allowFailureExitCodes' as "allowFailureExitCodes"
  from ci_job_definitions where job_id = $1`;

/** Failures that another try cannot change. */
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

/** What a definition says about failures: which count as none, and which are tried again. */
@Injectable()
export class AutomaticRetryService {
  constructor(private readonly cloning: CloneJobs) {}

  /** Whether the job may fail with this exit code. */
  async isTolerated(tx: Tx, job: Job, exitCode: number | undefined): Promise<boolean> {
    if (job.kind !== 'build' || exitCode === undefined || job.allowFailure) return false;
    return (await rules(tx, job))?.allowFailureExitCodes?.includes(exitCode) ?? false;
  }

  /** Puts another job in the place of one that has failed, unless it has been tried often enough or its failure is not among those to try again. */
  async retry(tx: Tx, job: Job): Promise<void> {
    if (job.kind !== 'build' || FINAL.has(job.failureReason ?? '')) return;
    const retry = (await rules(tx, job))?.retry;
    if (!retry || job.attempt >= retry.max) return;
    const { when } = retry;
    if (when.length > 0 && !when.includes('always') && !when.includes(job.failureReason ?? '')) return;
    await this.cloning.run(tx, [job], { attempt: job.attempt + 1 });
  }
}

const rules = async (tx: Tx, { id }: Job): Promise<Rules | undefined> =>
  (await tx.query<Rules[]>(RULES, [id]))[0];
