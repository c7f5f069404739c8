import type { CiVariable, JobEnvironment, JobNeed } from '../jobs/definition/job-definition.js';
import type { CompiledJob } from './compile-context.js';
import { expandVariables, valuesOf } from './expand.js';

/** A job of a pipeline to be, as it is stored: what is looked for by itself, and the rest as text. */
export interface PlannedJob extends Omit<CompiledJob, 'definition'> {
  readonly needs: readonly JobNeed[] | null;
  readonly interruptible: boolean;
  readonly resourceGroup: string | null;
  /** Name of its environment, variables replaced. */
  readonly environmentName: string | null;
  /** As it is written. */
  readonly environment: JobEnvironment | null;
  readonly artifactsPublic: boolean;
  /** The whole `JobDefinition` as JSON. */
  readonly definition: string;
}

/** A pipeline to be. */
export interface PlannedPipeline {
  /** Of `workflow: name`, variables replaced. */
  readonly name: string | null;
  readonly jobs: readonly PlannedJob[];
}

/** Most characters of names in rows. */
const MAX_NAME = 255;

/** What a compiled job becomes; `variables` are those that it gets beside its own. */
export function planJob({ definition, ...job }: CompiledJob, variables: readonly CiVariable[]): PlannedJob {
  const { environment, needs, interruptible, artifacts, resourceGroup } = definition;
  const values = valuesOf([...definition.variables, ...variables]);
  const expanded = (text: string | undefined | null): string | null =>
    text ? expandVariables(text, values).slice(0, MAX_NAME) : null;
  return {
    ...job,
    tagList: job.tagList.map((tag) => expandVariables(tag, values)),
    needs,
    interruptible,
    resourceGroup: expanded(resourceGroup),
    environmentName: expanded(environment?.name),
    environment,
    artifactsPublic: artifacts?.public ?? true,
    definition: JSON.stringify(definition),
  };
}
