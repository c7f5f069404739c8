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

/** Status of a job or a pipeline. */
export type CiStatus = (typeof CI_STATUSES)[number];

/** Final statuses, which change only by a request. */
export const FINISHED_STATUSES: readonly CiStatus[] = ['success', 'failed', 'canceled', 'skipped'];
const FINISHED: ReadonlySet<CiStatus> = new Set<CiStatus>(FINISHED_STATUSES);

/** Returns whether the status is final. */
export const isFinished = (status: CiStatus): boolean => FINISHED.has(status);

/** Allowed next statuses of each status. A finished job is never reused: a retry creates a new job. */
const NEXT: Readonly<Record<CiStatus, readonly CiStatus[]>> = {
  created: CI_STATUSES.filter((status) => status !== 'created'),
  waiting_for_resource: ['preparing', 'pending', 'failed', 'canceled', 'skipped', 'manual', 'scheduled'],
  preparing: ['pending', 'failed', 'canceled', 'skipped'],
  pending: ['running', 'success', 'failed', 'canceled', 'skipped', 'manual', 'scheduled'],
  running: ['success', 'failed', 'canceled'],
  success: [],
  failed: [],
  canceled: [],
  // A skipped job is created again when a job before it reruns.
  skipped: ['created'],
  manual: ['waiting_for_resource', 'pending', 'failed', 'canceled', 'skipped', 'created', 'scheduled'],
  // The start may be postponed.
  scheduled: ['waiting_for_resource', 'pending', 'manual', 'failed', 'canceled', 'skipped', 'scheduled'],
};

/** Returns whether a job may change from one status to another. */
export const mayMove = (from: CiStatus, to: CiStatus): boolean => NEXT[from].includes(to);

/** Failure reasons of jobs as v4 clients know them; some are reported only by runners. */
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

/** A failure reason of a job. */
export type FailureReason = (typeof FAILURE_REASONS)[number];
