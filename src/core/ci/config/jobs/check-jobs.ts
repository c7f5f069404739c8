import type { Problems } from '../problems.js';
import type { WantedJob } from './wanted-job.js';

/** Reports stages, needs, dependencies and stop jobs that do not match the other jobs. */
export function checkJobs(
  jobs: ReadonlyMap<string, WantedJob>,
  stages: readonly string[],
  problems: Problems,
): void {
  const order = new Map(stages.map((stage, index) => [stage, index]));
  for (const job of jobs.values()) {
    if (!order.has(job.stage))
      problems.add(
        `${job.name} job: chosen stage ${job.stage} does not exist; available stages are ${stages.join(', ')}`,
      );
    checkOthers(job, jobs, order, problems);
    checkStop(job, jobs, problems);
  }
  if (!problems.any) checkCircles(jobs, problems);
}

function checkOthers(
  job: WantedJob,
  jobs: ReadonlyMap<string, WantedJob>,
  order: ReadonlyMap<string, number>,
  problems: Problems,
): void {
  const own = order.get(job.stage) ?? 0;
  const check = (name: string, noun: 'need' | 'dependency', latest: number): void => {
    const other = jobs.get(name);
    if (!other) problems.add(`${job.name} job: undefined ${noun}: ${name}`);
    else if ((order.get(other.stage) ?? 0) > latest)
      problems.add(`${job.name} job: ${noun} ${name} is not defined in current or prior stages`);
  };
  for (const need of needsOf(job)) if (!need.optional || jobs.has(need.job)) check(need.job, 'need', own);
  const needed = job.needs?.map((need) => need.job);
  for (const name of job.dependencies ?? []) {
    check(name, 'dependency', needed ? own : own - 1);
    if (needed && !needed.includes(name))
      problems.add(`${job.name} job: dependencies the ${name} should be part of needs`);
  }
  for (const { job: name } of job.definition.trigger?.includeArtifacts ?? []) check(name, 'need', own);
}

const needsOf = (job: WantedJob): NonNullable<WantedJob['needs']> => [
  ...(job.needs ?? []),
  ...(job.rules ?? []).flatMap((rule) => rule.needs ?? []),
];

function checkStop(job: WantedJob, jobs: ReadonlyMap<string, WantedJob>, problems: Problems): void {
  const { environment } = job.definition;
  const name = environment?.onStop;
  if (!environment || name === null || name === undefined) return;
  const other = jobs.get(name)?.definition.environment;
  const report = (text: string): void => problems.add(`${job.name} job: on_stop job ${name} ${text}`);
  if (!jobs.has(name)) report('is not defined');
  else if (!other) report('does not have environment defined');
  else if (other.name !== environment.name) report('have different environment name');
  else if (other.action !== 'stop') report('needs to have action stop defined');
}

/** Reports circular needs; visits each job once. */
function checkCircles(jobs: ReadonlyMap<string, WantedJob>, problems: Problems): void {
  const done = new Set<string>();
  for (const start of jobs.keys()) {
    const path: { readonly name: string; readonly next: Iterator<string, undefined> }[] = [];
    const open = new Set<string>();
    const enter = (name: string): void => {
      const job = jobs.get(name);
      open.add(name);
      path.push({ name, next: (job ? needsOf(job) : []).map((need) => need.job)[Symbol.iterator]() });
    };
    if (!done.has(start)) enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const step = top.next.next();
      const value = step.done ? null : step.value;
      if (value === null) {
        open.delete(top.name);
        done.add(top.name);
        path.pop();
      } else if (open.has(value)) {
        const names = path.map((one) => one.name);
        problems.add(
          `The pipeline has circular dependencies: ${[...names.slice(names.indexOf(value)), value].join(', ')}`,
        );
        return;
      } else if (!done.has(value)) enter(value);
    }
  }
}
