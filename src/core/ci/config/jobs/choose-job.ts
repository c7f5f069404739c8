import type { CiVariable } from '../../jobs/definition/job-definition.js';
import type { JobWhen } from '../../jobs/job.entity.js';
import type { CompileContext } from '../compile-context.js';
import { valuesOf } from '../expand.js';
import { yamlVariable } from '../keywords/variables.js';
import type { WantedNeed } from '../keywords/needs.js';
import type { ConditionCheck } from '../rules/condition-check.js';
import { admits } from '../rules/ref-policy.js';
import type { WantedJob } from './wanted-job.js';

/** A job selected for a pipeline, with the effect of its rule. */
export interface ChosenJob {
  readonly job: WantedJob;
  readonly when: JobWhen;
  readonly startIn: number | null;
  readonly allowFailure: boolean;
  readonly exitCodes: readonly number[] | null;
  readonly interruptible: boolean;
  readonly needs: readonly WantedNeed[] | null;
  /** Variables of the configuration, the job and the matching rule; without duplicate keys. */
  readonly variables: readonly CiVariable[];
}

/**
 * Decides whether a job is in the pipeline; null if not. `shared`: the global variables of the configuration.
 */
export async function chooseJob(
  job: WantedJob,
  shared: readonly CiVariable[],
  context: CompileContext,
  check: ConditionCheck,
): Promise<ChosenJob | null> {
  const own = merge([...shared.filter(({ key }) => job.inherit.variables(key)), ...job.variables]);
  const values = valuesOf([
    ...own,
    yamlVariable('CI_JOB_NAME', job.name, true),
    yamlVariable('CI_JOB_STAGE', job.stage, true),
    ...context.variables,
  ]);
  const rule = job.rules && (await check.firstOf(job.rules, values));
  if (job.rules && !rule) return null;
  if (!job.rules && !(await admits(job.only, job.except, { context, check, values }))) return null;
  const when = rule?.when ?? job.when ?? 'on_success';
  if (when === 'never') return null;
  return {
    job,
    when,
    startIn: when === 'delayed' ? (rule?.startIn ?? job.startIn) : null,
    // A manual job is optional by default, unless a rule made it manual.
    allowFailure: rule?.allowFailure ?? job.allowFailure.all ?? job.when === 'manual',
    exitCodes: (rule?.allowFailure ?? null) === null ? job.allowFailure.exitCodes : null,
    interruptible: rule?.interruptible ?? job.definition.interruptible,
    needs: rule?.needs ?? job.needs,
    variables: rule && rule.variables.length > 0 ? merge([...own, ...rule.variables]) : own,
  };
}

const merge = (variables: readonly CiVariable[]): readonly CiVariable[] => [...valuesOf(variables).values()];
