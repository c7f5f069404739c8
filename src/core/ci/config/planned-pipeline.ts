import { namingOf, publicVariables } from '../creation/public-variables.js';
import type { CiVariable, JobEnvironment, JobNeed } from '../jobs/definition/job-definition.js';
import { tidyTags } from '../runners/tidy-tags.js';
import type { CompiledJob } from './compile-context.js';
import { expandVariables, valuesOf } from './expand.js';
import { Budget } from './yaml/budget.js';
import type { AutoCancel } from './rules/auto-cancel.js';

/** A job as it is stored: the columns, and the definition as text. */
export interface PlannedJob extends Omit<CompiledJob, 'definition'> {
  readonly needs: readonly JobNeed[] | null;
  readonly interruptible: boolean;
  readonly resourceGroup: string | null;
  /** Name of the environment, with variables expanded. */
  readonly environmentName: string | null;
  /** The environment as written. */
  readonly environment: JobEnvironment | null;
  readonly artifactsPublic: boolean;
  /** The `JobDefinition` as JSON. */
  readonly definition: string;
}

/** A pipeline as it is stored. */
export interface PlannedPipeline {
  /** From `workflow: name`, with variables expanded. */
  readonly name: string | null;
  readonly autoCancel: AutoCancel;
  readonly jobs: readonly PlannedJob[];
}

/** Limit of characters of names in rows. */
const MAX_NAME = 255;

/** Limit of characters of all tags: each may be a variable with a long value. */
const MAX_TAGS = 16 * 1024 * 1024;

/**
 * Converts compiled jobs for storage; `variables` are their variables from outside of the configuration.
 * @throws ConfigRefused if they are too large
 */
export function planJobs(jobs: readonly CompiledJob[], variables: readonly CiVariable[]): PlannedJob[] {
  const budget = new Budget(0, MAX_TAGS, 'pipeline');
  return jobs.map((job) => {
    const planned = planJob(job, variables);
    for (const tag of planned.tagList) budget.spend(0, tag.length);
    return planned;
  });
}

function planJob({ definition, ...job }: CompiledJob, variables: readonly CiVariable[]): PlannedJob {
  const { environment, needs, interruptible, artifacts, resourceGroup } = definition;
  const naming = publicVariables(namingOf(job, definition.parallel));
  const values = valuesOf([...naming, ...definition.variables, ...variables]);
  const expanded = (text: string | undefined | null): string | null =>
    text ? expandVariables(text, values).slice(0, MAX_NAME) : null;
  const group = expanded(resourceGroup);
  return {
    ...job,
    tagList: tidyTags(job.tagList.map((tag) => expandVariables(tag, values))),
    needs,
    interruptible,
    // All jobs whose variable is unset would share a blank one.
    resourceGroup: group?.trim() ? group : null,
    environmentName: expanded(environment?.name),
    environment,
    artifactsPublic: artifacts?.public ?? true,
    definition: JSON.stringify(definition),
  };
}
