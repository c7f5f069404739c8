import type { CiStatus } from '#core/ci/jobs/job-status.js';
import { OUTSIDE, type PipelineWalk } from './pipeline-walk.js';
import { before, combined, isDone, plainName, prospects, type Plan, type ShownJob } from './walk-plan.js';

interface ShownPipeline {
  readonly id: number;
  readonly status: CiStatus;
  readonly source: string;
  readonly finished_at: string | null;
  readonly started_at: string | null;
  readonly duration: number | null;
}

interface ShownDeployment {
  readonly id: number;
  readonly status: string;
  readonly environment: { readonly name: string };
  readonly deployable: ShownJob | null;
}

const GROUPS = `select j.id, j.status, j.kind, j.resource_group as "group" from ci_jobs j
  where j.project_id = $1 and j.resource_group is not null and j.status in ('preparing', 'pending', 'running', 'waiting_for_resource')`;

const QUEUED = `select j.id, q.job_id is not null as queued from ci_jobs j left join ci_pending_jobs q on q.job_id = j.id
  where j.project_id = $1 and ((j.status = 'pending' and j.kind = 'build') <> (q.job_id is not null))`;

const BY_JOB: Readonly<Record<string, string>> = {
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'canceled',
};

/** What contradicts the rules at a moment when nothing is under way. */
export async function contradictions(walk: PipelineWalk): Promise<string[]> {
  const found: string[] = [...walk.problems.splice(0)];
  const current = new Map<number, ShownJob>();
  await Promise.all(
    (await walk.pipelines()).map(async ({ id, sha, source }) => {
      const plans = walk.plans.get(sha);
      if (!plans) return;
      const [{ body: pipeline }, jobs] = await Promise.all([
        walk.api.root.get<ShownPipeline>(walk.at(`/pipelines/${id}`)),
        walk.jobs(id),
      ]);
      for (const job of jobs) current.set(job.id, job);
      const plan = source === 'parent_pipeline' ? plans.child : plans.parent;
      found.push(...ofPipeline(pipeline, jobs, plan).map((text) => `pipeline ${id}: ${text}`));
    }),
  );
  found.push(...(await ofRunners(walk, current)), ...(await ofGroups(walk)), ...(await ofDeployments(walk)));
  return found;
}

function ofPipeline(pipeline: ShownPipeline, all: readonly ShownJob[], plan: Plan): string[] {
  const found: string[] = [];
  const say = (text: string): unknown => found.push(text);
  const expected = combined(all);
  const jobs = all.filter(({ name }) => !OUTSIDE.includes(name));
  const shown = all
    .map(({ name, status, allow_failure: may }) => `${name}=${status}${may ? '?' : ''}`)
    .join(', ');
  if (pipeline.status !== expected) say(`${pipeline.status}, not ${expected} by ${shown}`);
  if (isDone(pipeline.status) !== (pipeline.finished_at !== null))
    say(`${pipeline.status}, finished at ${pipeline.finished_at}`);
  const names = jobs.map(({ name }) => name);
  const wanted = Object.entries(plan).flatMap(([name, { parallel }]) =>
    parallel ? Array.from({ length: parallel }, (_, index) => `${name} ${index + 1}/${parallel}`) : [name],
  );
  if ([...names].sort().join() !== wanted.sort().join()) say(`has the jobs ${names.join()}`);
  for (const job of jobs) {
    const outlook = prospects(plan, jobs, job);
    if (job.status === 'created' && outlook !== 'wait')
      say(`${job.name} is created, but may ${outlook}: ${shown}`);
    if (job.status === 'skipped' && outlook !== 'never' && !hadWaited(plan, jobs, job))
      say(`${job.name} is skipped, but may ${outlook}: ${shown}`);
    if (isDone(job.status) && job.status !== 'skipped' && job.finished_at === null)
      say(`${job.name} ${job.status} without an end`);
    const child = job.downstream_pipeline;
    const depends = plan[plainName(job.name)]?.trigger?.strategy === 'depend';
    if (child === undefined) continue;
    if (job.status === 'pending') say(`${job.name} does not start its child`);
    if (job.status === 'running' && (!child || isDone(child.status)))
      say(`${job.name} runs on after ${child?.status}`);
    if (
      depends &&
      child &&
      isDone(job.status) &&
      isDone(child.status) &&
      job.status !== 'canceled' &&
      job.status !== (child.status === 'skipped' ? 'failed' : child.status)
    )
      say(`${job.name} is ${job.status}, its child ${child.id} ${child.status}`);
  }
  return found;
}

/** Whether a job was skipped since one that it needs waited for a user, who has ended that one since. */
const hadWaited = (plan: Plan, jobs: readonly ShownJob[], job: ShownJob): boolean =>
  before(plan, jobs, job).some(({ name, status, allow_failure: may }) => {
    const { when, environment } = plan[plainName(name)] ?? {};
    const waits = when === 'manual' || when === 'delayed' || environment?.['name'] === 'guarded';
    return may && waits && (status === 'canceled' || status === 'failed');
  });

async function ofRunners(walk: PipelineWalk, current: ReadonlyMap<number, ShownJob>): Promise<string[]> {
  const lost = [...current.values()].filter(
    ({ id, name, status, downstream_pipeline: child }) =>
      status === 'running' && child === undefined && !OUTSIDE.includes(name) && !walk.held.has(id),
  );
  const queue = await walk.api.sql<{ id: number; queued: boolean }>(QUEUED, [walk.project.id]);
  return [
    ...lost.map(({ id, name }) => `job ${id} (${name}) runs without a runner`),
    ...queue.map(({ id, queued }) => `job ${id} is ${queued ? '' : 'not '}queued`),
  ];
}

async function ofGroups(walk: PipelineWalk): Promise<string[]> {
  const jobs = await walk.api.sql<{ id: number; status: string; kind: string; group: string }>(GROUPS, [
    walk.project.id,
  ]);
  return ['red', 'blue', 'green'].flatMap((name) => {
    const all = jobs.filter(({ group }) => group === name);
    const holding = all.filter(({ status }) => status !== 'waiting_for_resource');
    // A bridge whose child runs again only follows it: the user has started that, whoever holds the resource.
    const exclusive = holding.filter(({ kind, status }) => kind !== 'bridge' || status !== 'running');
    if (exclusive.length > 1) return [`${name} is held by ${holding.map(({ id }) => id).join()}`];
    return holding.length === 0 && all.length > 0
      ? [`${name} is free, but ${all.map(({ id }) => id).join()} wait`]
      : [];
  });
}

async function ofDeployments(walk: PipelineWalk): Promise<string[]> {
  const found: string[] = [];
  const read = async (page: number): Promise<ShownDeployment[]> => {
    const { body } = await walk.api.root.get<ShownDeployment[]>(
      walk.at(`/deployments?sort=desc&per_page=100&page=${page}`),
    );
    return body;
  };
  const all = await read(1);
  for (const { id, status, deployable: job, environment } of all) {
    if (!job) continue;
    const allowed = BY_JOB[job.status]
      ? [BY_JOB[job.status]]
      : job.status === 'manual'
        ? ['created', 'blocked']
        : ['created'];
    if (!allowed.includes(status))
      found.push(`deployment ${id} to ${environment.name} is ${status}, its job ${job.id} ${job.status}`);
    if (status === 'blocked' && environment.name !== 'guarded') found.push(`deployment ${id} is blocked`);
  }
  const { body: environments } = await walk.api.root.get<{ id: number; name: string; state: string }[]>(
    walk.at('/environments'),
  );
  for (const { id, name, state } of environments) {
    const { body } = await walk.api.root.get<{ last_deployment: ShownDeployment | null }>(
      walk.at(`/environments/${id}`),
    );
    const [last] = await walk.api.sql<{ id: number }>(
      `select id from deployments where environment_id = $1 and status = 'success' order by finished_at desc, iid desc limit 1`,
      [id],
    );
    if ((body.last_deployment?.id ?? null) !== (last?.id ?? null))
      found.push(`${name} was last deployed by ${body.last_deployment?.id}, not ${last?.id}`);
    const stops = await walk.api.sql<{ id: number; status: string; retried: boolean }>(
      `select id, status, retried from ci_jobs where project_id = $1 and environment = $2 and environment_action = 'stop'
        and status in ('waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled')`,
      [walk.project.id, name],
    );
    if (state === 'stopping' && stops.length === 0) found.push(`${name} is stopping for ever`);
  }
  return found;
}
