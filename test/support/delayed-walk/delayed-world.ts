import { LostJobsService } from '#core/ci/watch/lost-jobs.service.js';
import type { TestApi } from '../api.js';
import { buildMember } from '../builders/member.js';
import { buildProject } from '../builders/project.js';
import { registerRunner, type BuiltRunner } from '../builders/runner.js';
import { createUser, type CreatedUser } from '../builders/user.js';
import { CiEngine } from '../ci-engine.js';
import type { Answer, ApiClient } from '../client.js';
import { combined, type ShownJob } from '../ci-walk/walk-plan.js';
import { Chance } from '../hostile/chance.js';
import { untilQuiet } from '../lock-waits.js';
import { JobModel, type JobKind, type ModelJob, type ModelPerson } from './job-model.js';

const KINDS: Readonly<Record<string, JobKind>> = {
  slow: { isDelayed: true, environment: null, group: 'red' },
  ship: { isDelayed: true, environment: 'prod', group: 'red' },
  late: { isDelayed: true, environment: 'lab', group: null },
  now: { isDelayed: false, environment: null, group: 'red' },
  push: { isDelayed: false, environment: 'prod', group: 'blue' },
  test: { isDelayed: false, environment: 'lab', group: 'blue' },
};

/** All at once, so that each goes its own way. */
const CONFIG = JSON.stringify(
  Object.fromEntries(
    Object.entries(KINDS).map(([name, { isDelayed, environment, group }]) => [
      name,
      {
        script: 'x',
        ...(isDelayed ? { when: 'delayed', start_in: '1 day' } : {}),
        ...(environment === null ? {} : { environment }),
        ...(group === null ? {} : { resource_group: group }),
      },
    ]),
  ),
);

interface Shown extends ShownJob {
  readonly user: { readonly id: number } | null;
  readonly pipeline: { readonly id: number };
}

/** A project with delayed jobs, people whose rights change, and another project that its jobs may access. */
export class DelayedWorld {
  readonly model = new JobModel();
  readonly log: string[] = [];
  readonly clients = new Map<number, ApiClient>();

  constructor(
    readonly api: TestApi,
    readonly ci: CiEngine,
    readonly runner: BuiltRunner,
    /** A Maintainer who starts nothing, and approves. */
    readonly judge: CreatedUser,
    readonly otherId: number,
    readonly chance: Chance,
  ) {}

  static async start<World extends DelayedWorld>(
    this: new (...args: ConstructorParameters<typeof DelayedWorld>) => World,
    api: TestApi,
    seed: number,
  ): Promise<World> {
    const ci = await CiEngine.start(api);
    await ci.put({ auto_cancel_pending_pipelines: 'disabled', ci_forward_deployment_enabled: false });
    await ci.configure(CONFIG);
    const runner = await registerRunner(api, { project: ci.project.id });
    const judge = await createUser(api);
    await buildMember(api, `projects/${ci.project.id}`, judge.id, 40);
    const other = await buildProject(api.root);
    const world = new this(api, ci, runner, judge, other.id, new Chance(seed));
    for (const role of [40, 30, 30]) {
      const { id, client } = await createUser(api);
      await buildMember(api, `projects/${ci.project.id}`, id, role);
      await buildMember(api, `projects/${other.id}`, id, 30);
      world.clients.set(id, client);
      world.model.people.set(id, { id, role, roleElsewhere: 30, isBlocked: false });
    }
    return world;
  }

  at(suffix = ''): string {
    return `/projects/${this.ci.project.id}${suffix}`;
  }

  /** A random user who may sign in. */
  someone(least = 0): ModelPerson | undefined {
    const all = [...this.model.people.values()].filter(({ isBlocked, role }) => !isBlocked && role >= least);
    return all.length > 0 ? this.chance.of(all) : undefined;
  }

  client({ id }: ModelPerson): ApiClient {
    return this.clients.get(id) as ApiClient;
  }

  /** A random job in one of these statuses. */
  one(...statuses: string[]): ModelJob | undefined {
    const all = [...this.model.jobs.values()].filter(
      ({ status }) => statuses.length === 0 || statuses.includes(status),
    );
    return all.length > 0 ? this.chance.of(all) : undefined;
  }

  /** Takes up a job that has been created, without its status. */
  add(id: number, name: string, pipeline: number, userId: number): ModelJob {
    const own = { isRetried: false, isRejected: false, isApproved: false, token: null };
    const kind = KINDS[name] as JobKind;
    const job: ModelJob = { id, name, pipeline, ...kind, status: 'created', userId, ...own };
    this.model.jobs.set(id, job);
    return job;
  }

  /** Waits until nothing is under way, and the jobs of blocked users have been ended. */
  async settle(): Promise<void> {
    await untilQuiet(this.api);
    this.model.settle();
    for (let ended = this.model.ofBlocked(); ended.length > 0; ended = this.model.ofBlocked()) {
      await this.api.app.get(LostJobsService).end(new AbortController().signal);
      await untilQuiet(this.api);
      for (const job of ended) job.status = 'failed';
      this.model.settle();
    }
  }

  /** What is shown otherwise than it should be. */
  async contradictions(): Promise<string[]> {
    const { root } = this.api;
    const found: string[] = [];
    const { body: deployments } = await root.get<{ status: string; deployable: { id: number } | null }[]>(
      this.at('/deployments?per_page=100&sort=desc'),
    );
    const shown = await Promise.all(
      [...this.model.jobs.values()].map(async (job) => ({
        job,
        answer: await root.get<Shown>(this.at(`/jobs/${job.id}`)),
      })),
    );
    for (const { job, answer } of shown) {
      const status = answer.status === 404 ? 'gone' : answer.body.status;
      const userId = answer.body.user?.id;
      if (status !== job.status) found.push(`${job.id} (${job.name}) is ${status}, not ${job.status}`);
      else if (status !== 'gone' && userId !== job.userId)
        found.push(`${job.id} (${job.name}) is of ${userId}, not ${job.userId}`);
      const own = deployments.find(({ deployable }) => deployable?.id === job.id);
      if (own && !deployedAs(job.status).includes(own.status))
        found.push(`the deployment of ${job.id}, ${job.status}, is ${own.status}`);
    }
    for (const id of new Set([...this.model.jobs.values()].map(({ pipeline }) => pipeline))) {
      const current = shown.filter(
        ({ job }) => job.pipeline === id && !job.isRetried && job.status !== 'gone',
      );
      if (current.length === 0) continue;
      const { body } = await root.get<{ status: string }>(this.at(`/pipelines/${id}`));
      const expected = combined(current.map(({ answer }) => answer.body));
      if (body.status !== expected) found.push(`pipeline ${id} is ${body.status}, not ${expected}`);
    }
    return found;
  }

  /** Fails with the whole story. */
  assert(what: string, answer: Answer, ...expected: number[]): void {
    this.log.push(`${what}: ${answer.status}`);
    if (expected.includes(answer.status)) return;
    throw new Error(`not ${expected.join()}: ${answer.text}\n${this.log.join('\n')}`);
  }
}

const deployedAs = (status: string): readonly string[] => {
  if (['running', 'success', 'failed', 'canceled'].includes(status)) return [status];
  return status === 'manual' ? ['created', 'blocked'] : ['created'];
};
