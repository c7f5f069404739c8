import type { CiVariable } from '../../jobs/definition/job-definition.js';
import type { CompileContext } from '../compile-context.js';
import { readVariables } from '../keywords/variables.js';
import { extendJobs } from '../loading/extend-jobs.js';
import { IncludeFiles } from '../loading/include-files.js';
import { resolveReferences } from '../loading/resolve-references.js';
import { ConfigRefused, Spot, type Problems } from '../problems.js';
import type { ConditionCheck } from '../rules/condition-check.js';
import { Budget } from '../yaml/budget.js';
import { readYaml } from '../yaml/read-yaml.js';
import { isMap, type YamlMap } from '../yaml/yaml-value.js';
import { checkJobs } from './check-jobs.js';
import { DEFAULT_KEYS, readDefaults } from './job-defaults.js';
import { readJob } from './read-job.js';
import { readStages } from './read-stages.js';
import { readWorkflow, type Workflow } from './read-workflow.js';
import type { WantedJob } from './wanted-job.js';

/** A configuration before its jobs are selected for a pipeline. */
export interface Configuration {
  readonly workflow: Workflow;
  readonly stages: readonly string[];
  readonly variables: readonly CiVariable[];
  readonly jobs: readonly WantedJob[];
}

const RESERVED = new Set<string>([
  ...DEFAULT_KEYS,
  'default',
  'include',
  'variables',
  'stages',
  'types',
  'workflow',
  'spec',
  'pages_prefix',
]);
/** Limit of jobs of a configuration, before `parallel`. */
const MAX_JOBS = 1_000;

/**
 * Reads the configuration with all includes, and resolves `extends` and `!reference`. @throws ConfigRefused
 */
export async function loadConfiguration(
  text: string,
  context: CompileContext,
  check: ConditionCheck,
  problems: Problems,
): Promise<YamlMap> {
  const budget = new Budget();
  const root = text.trim() === '' ? null : readYaml(text, budget);
  if (root === null) throw new ConfigRefused('Please provide content of .gitlab-ci.yml');
  if (!isMap(root)) throw new ConfigRefused('Invalid configuration format');
  const whole = await new IncludeFiles(context, check, budget, problems).expand(root);
  const merged = resolveReferences(extendJobs(whole, budget, problems));
  // Later steps visit each occurrence of a value, so shared values count once per occurrence.
  new Budget().spendAll(merged);
  return merged;
}

/** Reads the keywords and jobs of a merged configuration. */
export function readConfiguration(root: YamlMap, problems: Problems): Configuration {
  const spot = new Spot('', problems);
  const defaults = readDefaults(root, spot);
  const visible = [...root].filter(([name]) => !name.startsWith('.') && !RESERVED.has(name));
  const jobsSpot = new Spot('jobs', problems);
  if (visible.length === 0) jobsSpot.fail('config should contain at least one visible job');
  if (visible.length > MAX_JOBS)
    throw new ConfigRefused(`jobs config has too many jobs (maximum is ${MAX_JOBS})`);
  const jobs = visible
    .map(([name, value]) => readJob(name, value, defaults, jobsSpot))
    .filter((job) => job !== null);
  const stages = readStages(root.get('stages') ?? root.get('types'), spot.in('stages'));
  const variables = readVariables(root.get('variables'), spot.in('variables'), { described: true });
  const workflow = readWorkflow(root.get('workflow'), spot.in('workflow'));
  checkJobs(new Map(jobs.map((job) => [job.name, job])), stages, problems);
  return { workflow, stages, variables, jobs };
}
