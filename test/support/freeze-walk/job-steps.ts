import type { BuiltRunner, Payload } from '../builders/runner.js';
import { requestJob } from '../builders/runner.js';
import { until } from '../until.js';
import type { FreezeWalk } from './freeze-walk.js';

/** What a job should be: its status, and why it waits. */
interface ModelJob {
  status: string;
  reason: string | null;
  isOverridden: boolean;
}

interface ShownJob {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly waiting_reason: string | null;
}

/** A job that deploys at once, one by hand, and one that exists only without a freeze. */
export const CONFIG = `deploy: { script: x, environment: shop }
hand: { script: x, environment: shop, when: manual }
calm: { script: x, when: manual, rules: [{ if: '$CI_DEPLOY_FREEZE == null' }] }`;

const LATER = `update background_jobs set run_at = now() + interval '1 year' where name = 'ci.start_delayed' and state <> 'failed'`;
const DUE = `update background_jobs set run_at = now() where name = 'ci.start_delayed' and payload ->> 'jobId' = $1::text`;
const UNDER_WAY = `select 1 from background_jobs where name = 'ci.start_delayed' and run_at < now() + interval '10 seconds' and state <> 'failed'`;

/** Steps with jobs that deploy, and what should become of them. */
export class JobSteps {
  private readonly jobs = new Map<number, ModelJob>();

  constructor(
    private readonly walk: FreezeWalk,
    private readonly runner: BuiltRunner,
  ) {}

  /** A pipeline; its jobs are judged at once, except those by hand. */
  async create(): Promise<void> {
    const pipeline = await this.walk.ci.create();
    this.walk.log.push(`pipeline ${pipeline}`);
    const shown = await this.walk.ci.project.reporter.get<ShownJob[]>(
      this.walk.at(`/pipelines/${pipeline}/jobs`),
    );
    const names = shown.body.map(({ name }) => name).sort();
    const isCalm = this.walk.frozenUntil() === null;
    this.walk.log.push(names.join());
    if (names.includes('calm') !== isCalm) throw new Error(`calm: ${!isCalm}\n${this.walk.log.join('\n')}`);
    for (const { id, name } of shown.body)
      if (name === 'deploy') this.jobs.set(id, this.judged());
      else if (name === 'hand') this.jobs.set(id, { status: 'manual', reason: null, isOverridden: false });
  }

  /** Holds back what would happen by itself as the true time goes on. */
  async holdBack(): Promise<void> {
    await until(async () => (await this.walk.api.sql(UNDER_WAY)).length === 0);
    await this.walk.api.sql(LATER);
  }

  /** Waiting jobs have been asked again. */
  async askedAgain(): Promise<void> {
    await until(async () => (await this.walk.api.sql(UNDER_WAY)).length === 0);
    for (const job of this.jobs.values())
      if (job.status === 'scheduled') Object.assign(job, this.judged(job.isOverridden));
  }

  /** The time of one waiting job comes. */
  async due(): Promise<void> {
    const id = this.one('scheduled');
    if (id === undefined) return;
    this.walk.log.push(`due ${id}`);
    await this.walk.api.sql(DUE, [id]);
    await until(async () => (await this.walk.api.sql(UNDER_WAY)).length === 0);
    this.jobs.set(id, this.judged());
  }

  async play(): Promise<void> {
    const { chance, ci } = this.walk;
    const id = this.one(chance.of(['manual', 'scheduled', 'pending']));
    if (id === undefined) return;
    const job = this.jobs.get(id) as ModelJob;
    const reason = this.walk.refusal();
    const client = chance.of([ci.project.developer, ci.project.maintainer]);
    const overrides = chance.oneIn(3);
    const may = client === ci.project.maintainer;
    const values = overrides ? { override_freeze: true, override_reason: 'Now' } : {};
    const answer = await client.post<ShownJob>(this.walk.at(`/jobs/${id}/play`), values);
    this.walk.log.push(`play ${id} ${overrides} ${may}: ${answer.status}`);
    let expected = 200;
    if (job.status === 'pending') expected = 400;
    else if (reason === null) this.jobs.set(id, this.judged());
    else if (overrides && may) this.jobs.set(id, { status: 'pending', reason: null, isOverridden: true });
    else if (overrides || job.status === 'scheduled') expected = 403;
    else this.jobs.set(id, this.judged());
    await this.walk.answers(Promise.resolve(answer), expected);
  }

  /** Runs a job that has finished again. */
  async retry(): Promise<void> {
    const id = this.one('success');
    if (id === undefined) return;
    const { developer } = this.walk.ci.project;
    const made = await this.walk.answers(developer.post<ShownJob>(this.walk.at(`/jobs/${id}/retry`)), 201);
    this.walk.log.push(`retry ${id}: ${made.id}`);
    this.jobs.delete(id);
    this.jobs.set(made.id, this.judged());
  }

  /** A runner takes all that it gets; what may not run now waits again. */
  async handOut(): Promise<void> {
    this.walk.log.push('hand out');
    const given: Payload[] = [];
    for (;;) {
      const { status, body } = await requestJob(this.walk.api, this.runner);
      if (status === 204) break;
      if (status === 201) given.push(body);
    }
    const isFrozen = this.walk.frozenUntil() !== null;
    for (const [id, job] of this.jobs) {
      if (job.status !== 'pending') continue;
      const payload = given.find((one) => one.id === id);
      const judged = this.judged(job.isOverridden);
      Object.assign(job, judged);
      if ((payload !== undefined) !== (judged.status === 'pending'))
        throw new Error(`Job ${id} given: ${payload !== undefined}\n${this.walk.log.join('\n')}`);
      if (!payload) continue;
      const variables = payload['variables'] as { key: string }[];
      if (variables.some(({ key }) => key === 'CI_DEPLOY_FREEZE') !== isFrozen)
        throw new Error(`CI_DEPLOY_FREEZE of ${id}: ${!isFrozen}\n${this.walk.log.join('\n')}`);
      job.status = 'success';
      const done = { token: payload.token, state: 'success' };
      await this.walk.answers(this.walk.api.anonymous.put(`/jobs/${id}`, done), 200);
    }
  }

  /** Jobs and their deployments that are shown otherwise than they should be. */
  async contradictions(): Promise<string[]> {
    const { reporter } = this.walk.ci.project;
    const found: string[] = [];
    const deployments = await reporter.get<{ status: string; deployable: ShownJob | null }[]>(
      this.walk.at('/deployments?environment=shop&per_page=100&sort=desc'),
    );
    for (const [id, { status, reason }] of this.jobs) {
      const { body } = await reporter.get<ShownJob>(this.walk.at(`/jobs/${id}`));
      if (body.status !== status || body.waiting_reason !== reason)
        found.push(`${id}: ${body.status} ${body.waiting_reason}, not ${status} ${reason}`);
      const own = deployments.body.find((one) => one.deployable?.id === id);
      const follows = status === 'success' ? 'success' : 'created';
      if (own?.status !== follows) found.push(`deployment of ${id}: ${own?.status}, not ${follows}`);
    }
    return found;
  }

  private judged(isOverridden = false): ModelJob {
    const reason = isOverridden ? null : this.walk.refusal();
    return { status: reason === null ? 'pending' : 'scheduled', reason, isOverridden };
  }

  private one(status: string): number | undefined {
    const ids = [...this.jobs].filter(([, job]) => job.status === status).map(([id]) => id);
    return ids.length === 0 ? undefined : this.walk.chance.of(ids);
  }
}
