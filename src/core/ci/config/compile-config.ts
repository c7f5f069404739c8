import type { CompileContext, Compiled } from './compile-context.js';
import { collecting, examineConfig, type Examined } from './examine-config.js';
import { expandVariables, valuesOf } from './expand.js';
import { CacheKeys } from './jobs/cache-keys.js';
import { chooseJob, type ChosenJob } from './jobs/choose-job.js';
import type { Configuration } from './jobs/configuration.js';
import { placeJobs } from './jobs/place-jobs.js';
import { autoCancelOf } from './rules/auto-cancel.js';
import { Budget } from './yaml/budget.js';

const MAX_NAME = 255;
/** Limit of variables examined to decide on all jobs. */
const MAX_VARIABLES = 500_000;

/** Compiles the text of a `.gitlab-ci.yml`. Returns errors of the configuration instead of throwing them. */
export async function compileConfig(text: string, context: CompileContext): Promise<Compiled> {
  const examined = await examineConfig(text, context);
  const { problems, configuration } = examined;
  const compiled =
    configuration && (await collecting(problems, () => compile(configuration, examined, context)));
  return compiled && !problems.any ? compiled : { kind: 'invalid', errors: problems.list };
}

async function compile(
  { workflow, variables: own, stages, jobs: wanted }: Configuration,
  { check, problems, warnings }: Examined,
  context: CompileContext,
): Promise<Compiled> {
  const rule =
    workflow.rules && (await check.firstOf(workflow.rules, valuesOf([...own, ...context.variables])));
  if (workflow.rules && (!rule || rule.when === 'never')) return { kind: 'none', reason: 'workflow' };
  const variables = [...own, ...(rule?.variables ?? [])];
  const budget = new Budget(MAX_VARIABLES, 0, 'pipeline');
  const chosen: ChosenJob[] = [];
  for (const job of wanted) {
    budget.spend(variables.length + job.variables.length);
    const one = await chooseJob(job, variables, context, check);
    if (one) chosen.push(one);
  }
  // Jobs of `.pre` and `.post` alone make no pipeline.
  if (chosen.every(({ job }) => job.stage === '.pre' || job.stage === '.post'))
    return { kind: 'none', reason: 'no jobs' };
  const jobs = await placeJobs(chosen, stages, new CacheKeys(context.readFile), problems);
  const name = expandVariables(workflow.name ?? '', valuesOf([...variables, ...context.variables])).trim();
  return {
    kind: 'pipeline',
    pipeline: {
      name: name === '' ? null : name.slice(0, MAX_NAME),
      autoCancel: autoCancelOf(workflow.autoCancel, rule?.autoCancel),
      ...{ stages, jobs, warnings },
    },
  };
}
