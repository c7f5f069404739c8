/** Limits that do not come from the licence's plan but from the machine: what `/application/plan_limits` can change. */
export const PLAN_LIMITS_DEFAULTS = {
  ci_jobs_trace_size_limit: 100,
  ci_registered_group_runners: 1_000,
  ci_registered_project_runners: 1_000,
  generic_packages_max_file_size: 5_368_709_120,
};

/** The limits in force; 0 means none. */
export type PlanLimits = Readonly<typeof PLAN_LIMITS_DEFAULTS>;
