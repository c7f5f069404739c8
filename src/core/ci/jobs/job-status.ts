/** Every status of a job and of a pipeline (`ci.md` 5.1). */
export const CI_STATUSES = [
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const;

/** Where a job or a pipeline stands. */
export type CiStatus = (typeof CI_STATUSES)[number];

/** Statuses in which nothing happens any more by itself. */
export const FINISHED_STATUSES: readonly CiStatus[] = ['success', 'failed', 'canceled', 'skipped'];
const FINISHED: ReadonlySet<CiStatus> = new Set<CiStatus>(FINISHED_STATUSES);

/** Whether nothing happens to it any more by itself. */
export const isFinished = (status: CiStatus): boolean => FINISHED.has(status);

/** Statuses that each may be followed by; a job that is done is never used again: a retry makes a new one. */
const NEXT: Readonly<Record<CiStatus, readonly CiStatus[]>> = {
  created: [
    'waiting_for_resource',
    'preparing',
    'pending',
    'running',
    'success',
    'failed',
    'canceled',
    'skipped',
    'manual',
    'scheduled',
  ],
  waiting_for_resource: ['preparing', 'pending', 'failed', 'canceled', 'skipped', 'manual', 'scheduled'],
  preparing: ['pending', 'failed', 'canceled', 'skipped'],
  pending: ['running', 'success', 'failed', 'canceled', 'skipped', 'manual', 'scheduled'],
  running: ['success', 'failed', 'canceled'],
  success: [],
  failed: [],
  canceled: [],
  // A job that was left out comes back when one before it is run again.
  skipped: ['created'],
  manual: ['waiting_for_resource', 'pending', 'failed', 'canceled', 'skipped', 'created', 'scheduled'],
  // Its time may be put off.
  scheduled: ['waiting_for_resource', 'pending', 'manual', 'failed', 'canceled', 'skipped', 'scheduled'],
};

/** Whether a job may go from one status to another. */
export const mayMove = (from: CiStatus, to: CiStatus): boolean => NEXT[from].includes(to);

/** Why jobs fail, as clients know it; some of them runners alone say. */
export const FAILURE_REASONS = [
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'forward_deployment_failure',
  'user_blocked',
  'project_deleted',
  'trace_size_exceeded',
  'builds_disabled',
  'environment_creation_failure',
  'deployment_rejected',
  'protected_environment_failure',
  'invalid_bridge_trigger',
  'downstream_pipeline_creation_failed',
  'bridge_pipeline_is_child_pipeline',
  'reached_max_descendant_pipelines_depth',
  'downstream_bridge_project_not_found',
  'archived_failure',
  'image_pull_failure',
  'no_matching_runner',
  'ci_quota_exceeded',
  'failed_outdated_deployment_job',
  'pipeline_loop_detected',
] as const;

/** One of `FAILURE_REASONS`. */
export type FailureReason = (typeof FAILURE_REASONS)[number];
