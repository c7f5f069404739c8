import type { CiStatus } from '#core/ci/jobs/job-status.js';

/** A job of a random configuration, by the keywords that decide when it runs. */
export interface PlannedJob {
  readonly stage: string;
  readonly script?: string;
  readonly trigger?: { readonly include: string; readonly strategy?: 'depend' };
  readonly when?: 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed';
  readonly start_in?: string;
  readonly allow_failure?: boolean | { readonly exit_codes: number };
  readonly needs?: readonly string[];
  readonly parallel?: number;
  readonly retry?: number;
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The jobs of a configuration by name. */
export type Plan = Readonly<Record<string, PlannedJob>>;

/** Stages of every plan. */
export const STAGES = ['first', 'second', 'third'] as const;

/** A job as `GET /pipelines/:id/jobs` and `/bridges` show it. */
export interface ShownJob {
  readonly id: number;
  readonly name: string;
  readonly status: CiStatus;
  readonly stage: string;
  readonly allow_failure: boolean;
  readonly finished_at: string | null;
  readonly downstream_pipeline?: { readonly id: number; readonly status: CiStatus } | null;
}

const DONE: readonly CiStatus[] = ['success', 'failed', 'canceled', 'skipped'];

/** Whether nothing more happens by itself. */
export const isDone = (status: CiStatus): boolean => DONE.includes(status);

/** The name in the configuration of a copy of a parallel job. */
export const plainName = (name: string): string => name.replace(/ \d+\/\d+$/, '');

const tolerated = ({ status, allow_failure: may }: ShownJob): CiStatus => {
  if (!may) return status;
  if (status === 'manual') return 'skipped';
  return status === 'failed' || status === 'canceled' ? 'success' : status;
};

/** Status of a pipeline, or of what is before a job, in the words of `ci.md` 5.3. */
export function combined(jobs: readonly ShownJob[]): CiStatus {
  const has = new Set(jobs.map(tolerated));
  const only = (...allowed: CiStatus[]): boolean => [...has].every((one) => allowed.includes(one));
  if (only('skipped')) return 'skipped';
  if (only('success', 'skipped')) return 'success';
  if (only(...DONE)) return has.has('failed') ? 'failed' : 'canceled';
  if (only('created')) return 'created';
  const resting: CiStatus[] = ['created', 'skipped', 'manual', 'scheduled'];
  if (has.has('pending') && only('pending', ...resting)) return 'pending';
  if (has.has('running') || has.has('pending')) return 'running';
  for (const one of ['waiting_for_resource', 'manual', 'scheduled'] as const) if (has.has(one)) return one;
  return 'running';
}

/** Jobs that must be over before this one begins, and whether they are named by `needs`. */
export function before(plan: Plan, jobs: readonly ShownJob[], job: ShownJob): readonly ShownJob[] {
  const { needs, stage } = plan[plainName(job.name)] as PlannedJob;
  if (needs) return jobs.filter(({ name }) => needs.includes(name) || needs.includes(plainName(name)));
  const place = (one: string): number => STAGES.findIndex((known) => known === one);
  return jobs.filter((other) => place(other.stage) < place(stage));
}

/** Whether a job waits for others, may begin, or never will while those stay as they are. */
export function prospects(plan: Plan, jobs: readonly ShownJob[], job: ShownJob): 'wait' | 'go' | 'never' {
  const { needs, when = 'on_success' } = plan[plainName(job.name)] as PlannedJob;
  const earlier = before(plan, jobs, job);
  const status = combined(earlier);
  if (!isDone(status) && earlier.length > 0) return 'wait';
  if (when === 'always') return 'go';
  if (when === 'on_failure') return status === 'failed' ? 'go' : 'never';
  if (status === 'success' || earlier.length === 0)
    return needs && earlier.some((one) => tolerated(one) === 'skipped') ? 'never' : 'go';
  return status === 'skipped' && !needs ? 'go' : 'never';
}
