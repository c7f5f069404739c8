import type { JobNeed } from '../../jobs/definition/job-definition.js';
import type { CompiledJob } from '../compile-context.js';
import { valuesOf } from '../expand.js';
import { ConfigRefused, type Problems } from '../problems.js';
import { Budget } from '../yaml/budget.js';
import type { CacheKeys } from './cache-keys.js';
import type { ChosenJob } from './choose-job.js';
import { copiesOf, copiesWith, type JobCopy } from './job-copies.js';

/** Limit of jobs per pipeline, including the copies of `parallel`. */
const MAX_PIPELINE_JOBS = 1_000;
const MAX_NAME = 255;
const MAX_VARIABLES = 500_000;
/** Limit of characters of all stored definitions and tags. */
const MAX_DEFINITIONS = 16 * 1024 * 1024;

type Copies = ReadonlyMap<string, readonly JobCopy[]>;

/**
 * Assigns the selected jobs their stages, names and needs in the pipeline. @throws ConfigRefused if it is too
 * large
 */
export async function placeJobs(
  chosen: readonly ChosenJob[],
  stages: readonly string[],
  keys: CacheKeys,
  problems: Problems,
): Promise<readonly CompiledJob[]> {
  const copies: Copies = new Map(chosen.map(({ job }) => [job.name, copiesOf(job.name, job.parallel)]));
  const total = [...copies.values()].reduce((sum, list) => sum + list.length, 0);
  if (total > MAX_PIPELINE_JOBS)
    throw new ConfigRefused(
      `Pipeline has too many jobs! Requested ${total}, but the limit is ${MAX_PIPELINE_JOBS}.`,
    );
  checkNames([...copies.values()].flat(), problems);
  const budget = new Budget(MAX_VARIABLES, MAX_DEFINITIONS, 'pipeline');
  const jobs: CompiledJob[] = [];
  for (const one of chosen) {
    const { job } = one;
    const shared = {
      ...job.definition,
      interruptible: one.interruptible,
      cache: await keys.of(job.cache),
      needs: one.needs && needsOf(one, copies, problems),
      dependencies: job.dependencies && namesOf(job.dependencies, copies),
      startIn: one.startIn,
      allowFailureExitCodes: one.exitCodes,
    };
    for (const copy of copies.get(job.name) ?? []) {
      budget.spend(one.variables.length + copy.variables.length);
      const variables = [...valuesOf([...one.variables, ...copy.variables]).values()];
      const definition = { ...shared, variables, parallel: copy.parallel };
      budget.spend(0, JSON.stringify([definition, job.tagList]).length);
      jobs.push({
        kind: job.kind,
        name: copy.name,
        stage: job.stage,
        stageIndex: stages.indexOf(job.stage),
        when: one.when,
        allowFailure: one.allowFailure,
        tagList: job.tagList,
        definition,
      });
    }
  }
  return jobs;
}

function checkNames(copies: readonly JobCopy[], problems: Problems): void {
  const names = new Set<string>();
  for (const { name } of copies) {
    if (names.has(name)) problems.add(`${name} job: the pipeline has several jobs of this name`);
    if (name.length > MAX_NAME)
      problems.add(`${name.slice(0, 100)} job: name is too long (maximum is ${MAX_NAME} characters)`);
    names.add(name);
  }
}

function needsOf({ job, needs }: ChosenJob, copies: Copies, problems: Problems): readonly JobNeed[] {
  return (needs ?? []).flatMap((need) => {
    const found = copiesWith(copies.get(need.job) ?? [], need.matrix);
    if (found.length === 0 && !need.optional)
      problems.add(
        `'${job.name}' job needs '${need.job}' job, but '${need.job}' does not exist in the pipeline. This might be because of the only, except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.`,
      );
    return found.map(({ name }) => ({ job: name, artifacts: need.artifacts, optional: need.optional }));
  });
}

const namesOf = (names: readonly string[], copies: Copies): readonly string[] =>
  names.flatMap((name) => (copies.get(name) ?? []).map((copy) => copy.name));
