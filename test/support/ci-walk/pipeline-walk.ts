import { expect } from '@jest/globals';
import type { TestApi } from '../api.js';
import { buildCodeProject, type CodeProject } from '../builders/code-project.js';
import { registerRunner, requestJob, type BuiltRunner, type Payload } from '../builders/runner.js';
import type { Answer, ApiClient } from '../client.js';
import { untilQuiet } from '../lock-waits.js';
import { Chance } from '../hostile/chance.js';
import { randomPlan } from './random-plan.js';
import { isDone, type Plan, type ShownJob } from './walk-plan.js';

/** Statuses from outside are no jobs, but count. */
const STATUSES = `select id, name, status, stage, allow_failure, finished_at from ci_jobs
  where pipeline_id = $1 and kind = 'status' and not retried`;

/** Names of statuses from outside. */
export const OUTSIDE: readonly string[] = ['check', 'scan'];

const MAX_PIPELINES = 7;

/** A project in which runners and users do whatever they may, by a seed. */
export class PipelineWalk {
  /** What runners run at present, as far as they know. */
  readonly held = new Map<number, Payload>();
  /** Every job that a runner ever got. */
  readonly handedOut = new Set<number>();
  /** The plans by commit. */
  readonly plans = new Map<string, { readonly parent: Plan; readonly child: Plan }>();
  readonly problems: string[] = [];
  readonly log: string[] = [];

  private constructor(
    readonly api: TestApi,
    readonly project: CodeProject,
    private readonly runners: readonly BuiltRunner[],
    private readonly chance: Chance,
  ) {}

  static async start(api: TestApi, seed: number): Promise<PipelineWalk> {
    const project = await buildCodeProject(api);
    const runners = [
      await registerRunner(api, { project: project.id }),
      await registerRunner(api, { project: project.id }),
    ];
    const walk = new PipelineWalk(api, project, runners, new Chance(seed));
    const guarded = await project.maintainer.post(walk.at('/protected_environments'), {
      name: 'guarded',
      deploy_access_levels: [{ access_level: 30 }],
      required_approval_count: 1,
    });
    expect(guarded.status).toBe(201);
    return walk;
  }

  at(path: string): string {
    return `/projects/${this.project.id}${path}`;
  }

  /** Ids of the pipelines, newest first. */
  async pipelines(): Promise<
    readonly { readonly id: number; readonly sha: string; readonly source: string }[]
  > {
    const lists = await Promise.all(
      ['', '&source=parent_pipeline'].map((more) =>
        this.api.root.get<{ id: number; sha: string; source: string }[]>(
          this.at(`/pipelines?per_page=100${more}`),
        ),
      ),
    );
    const found = new Map(lists.flatMap(({ body }) => body.map((one) => [one.id, one])));
    return [...found.values()];
  }

  /** Pushes a new plan, for which a pipeline is created. */
  async push(): Promise<void> {
    const parent = randomPlan(this.chance, 'child.yml');
    const child = randomPlan(this.chance, null);
    const yaml = (plan: Plan): string => JSON.stringify({ stages: ['first', 'second', 'third'], ...plan });
    const action = this.plans.size === 0 ? 'create' : 'update';
    const pushed = await this.project.developer.post<{ id: string; message: unknown }>(
      this.at('/repository/commits'),
      {
        branch: 'main',
        commit_message: `Plan ${this.plans.size}`,
        actions: [
          { action, file_path: '.gitlab-ci.yml', content: yaml(parent) },
          { action, file_path: 'child.yml', content: yaml(child) },
        ],
      },
    );
    this.take('push', pushed, 201);
    this.plans.set(pushed.body.id, { parent, child });
    await untilQuiet(this.api);
    const found = await this.pipelines();
    if (!found.some(({ sha }) => sha === pushed.body.id))
      this.problems.push(`no pipeline of ${yaml(parent)}`);
  }

  /** Several actions at once. */
  async round(): Promise<void> {
    const pipelines = await this.pipelines();
    if (pipelines.length < MAX_PIPELINES && this.chance.oneIn(pipelines.length === 0 ? 1 : 8))
      return this.push();
    const targets = await this.targets();
    const count = 1 + this.chance.below(6);
    await Promise.all(Array.from({ length: count }, () => this.act(targets)));
  }

  /** Runners take a job, or end one. */
  async work(): Promise<boolean> {
    const runner = this.chance.of(this.runners);
    const { status, body } = await requestJob(this.api, runner);
    if (status !== 201) return false;
    if (this.handedOut.has(body.id)) this.problems.push(`job ${body.id} was handed out twice`);
    this.handedOut.add(body.id);
    this.held.set(body.id, body);
    this.log.push(`job ${body.id} taken`);
    return true;
  }

  /** A runner ends a job that it has; the job may have been canceled. */
  async end(job: Payload, state: 'success' | 'failed', code = 1): Promise<void> {
    this.held.delete(job.id);
    const ending = {
      token: job.token,
      state,
      ...(state === 'failed' ? { exit_code: code, failure_reason: 'script_failure' } : {}),
    };
    const answer = await this.api.anonymous.put(`/jobs/${job.id}`, ending);
    this.take(`end ${job.id} ${state} ${code}`, answer, 200, 403);
  }

  /** Lets everything end well that can: nothing may be left to do. */
  async finish(): Promise<void> {
    for (let again = true, turn = 0; again && turn < 60; turn += 1) {
      again = false;
      while (await this.work()) again = true;
      for (const job of [...this.held.values()]) await this.end(job, 'success');
      await untilQuiet(this.api);
      if (again) continue;
      const { body: blocked } = await this.api.root.get<{ id: number }[]>(
        this.at('/deployments?status=blocked&per_page=100'),
      );
      for (const { id } of blocked)
        await this.api.root.post(this.at(`/deployments/${id}/approval`), { status: 'approved' });
      for (const { job, pipeline } of await this.targets()) {
        if (isDone(job.status)) continue;
        if (OUTSIDE.includes(job.name)) await this.report(pipeline, 'success', job.name);
        else if (job.status === 'manual' || job.status === 'scheduled') {
          const answer = await this.project.maintainer.post(this.at(`/jobs/${job.id}/play`));
          this.log.push(`play ${job.id} at last: ${answer.text.slice(0, 80)}`);
          again ||= answer.status === 200;
        }
      }
      await untilQuiet(this.api);
    }
    for (const { pipeline, job } of await this.targets())
      if (!isDone(job.status))
        this.problems.push(`at last: job ${job.id} (${job.name} of ${pipeline}) is ${job.status}`);
  }

  private async targets(): Promise<readonly { readonly pipeline: number; readonly job: ShownJob }[]> {
    const all = await Promise.all(
      (await this.pipelines()).map(async ({ id }) => {
        const jobs = await this.jobs(id);
        return jobs.map((job) => ({ pipeline: id, job }));
      }),
    );
    return all.flat();
  }

  /** The current jobs of a pipeline, with its bridges. */
  async jobs(pipeline: number): Promise<ShownJob[]> {
    const lists = await Promise.all(
      ['jobs', 'bridges'].map((kind) =>
        this.api.root.get<ShownJob[]>(this.at(`/pipelines/${pipeline}/${kind}?per_page=100`)),
      ),
    );
    const outside = await this.api.sql<ShownJob>(STATUSES, [pipeline]);
    return [...lists.flatMap(({ status, body }) => (status === 200 ? body : [])), ...outside];
  }

  private async act(targets: Awaited<ReturnType<PipelineWalk['targets']>>): Promise<void> {
    const { chance, project } = this;
    const { developer, maintainer } = project;
    if (targets.length === 0 || chance.oneIn(4)) {
      await this.work();
      return;
    }
    const held = [...this.held.values()];
    if (held.length > 0 && chance.oneIn(2)) {
      const job = chance.of(held);
      return this.end(job, chance.of(['success', 'success', 'failed']), chance.of([1, 3]));
    }
    const { pipeline, job } = chance.of(targets);
    const name = `${job.id} (${job.name} of ${pipeline})`;
    const onJob = async (action: string): Promise<void> => {
      const answer = await developer.post(this.at(`/jobs/${job.id}/${action}`));
      this.take(`${action} ${name}`, answer, 200, 201, 400, 403, 404);
    };
    const onPipeline = async (action: string): Promise<void> => {
      const answer = await developer.post(this.at(`/pipelines/${pipeline}/${action}`));
      this.take(`${action} ${pipeline}`, answer, 200, 201, 404);
    };
    const remove = async (): Promise<void> => {
      if (!chance.oneIn(3)) return;
      const answer = await this.api.root.delete(this.at(`/pipelines/${pipeline}`));
      this.take(`delete ${pipeline}`, answer, 204, 404);
    };
    const report = (): Promise<void> =>
      this.report(pipeline, chance.of(['pending', 'running', 'success', 'failed', 'canceled']));
    const decide = (): Promise<void> => this.approve(maintainer, chance.oneIn(5) ? 'rejected' : 'approved');
    const actions = [
      ...['cancel', 'retry', 'retry', 'erase', 'play', 'play', 'play', 'play'].map(
        (action) => () => onJob(action),
      ),
      ...['cancel', 'retry'].map((action) => () => onPipeline(action)),
      () => this.stop(chance.of(['review', 'review', 'plain', 'guarded'])),
      ...[remove, report, report, decide, decide],
    ];
    await chance.of(actions)();
  }

  /** Somebody else's check of the commit. */
  private async report(pipeline: number, state: string, name = this.chance.of(OUTSIDE)): Promise<void> {
    const sha = (await this.pipelines()).find(({ id }) => id === pipeline)?.sha ?? '';
    const path = this.at(`/statuses/${sha}`);
    const values = { state, name, pipeline_id: pipeline };
    this.take(
      `report ${state} to ${pipeline}`,
      await this.project.developer.post(path, values),
      201,
      400,
      404,
    );
  }

  private async stop(name: string): Promise<void> {
    const { body } = await this.api.root.get<{ id: number }[]>(this.at(`/environments?name=${name}`));
    if (!body[0]) return;
    const answer = await this.project.developer.post(this.at(`/environments/${body[0].id}/stop`));
    this.take(`stop ${name}`, answer, 200, 400, 403);
  }

  /** Decides on a deployment that waits for it, if there is one. */
  private async approve(by: ApiClient, status: string): Promise<void> {
    const { body } = await this.api.root.get<{ id: number }[]>(
      this.at('/deployments?status=blocked&per_page=100'),
    );
    if (body.length === 0) return;
    const { id } = this.chance.of(body);
    this.take(
      `${status} ${id}`,
      await by.post(this.at(`/deployments/${id}/approval`), { status }),
      201,
      400,
      404,
    );
  }

  private take(what: string, answer: Answer, ...allowed: number[]): void {
    this.log.push(`${what}: ${answer.status}`);
    if (!allowed.includes(answer.status)) this.problems.push(`${what}: ${answer.status} ${answer.text}`);
  }
}
