/**
 * Limits that depend on the machine instead of the license's plan: those that `/application/plan_limits` can
 * change.
 */
export const PLAN_LIMITS_DEFAULTS = {
  ci_jobs_trace_size_limit: 100,
  ci_registered_group_runners: 1_000,
  ci_registered_project_runners: 1_000,
  generic_packages_max_file_size: 5_368_709_120,
};

/** Limits in force; 0 for none. */
export type PlanLimits = Readonly<typeof PLAN_LIMITS_DEFAULTS>;
