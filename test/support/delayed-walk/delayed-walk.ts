import type { JobContext } from '#kernel/queue/job-processor.js';
import { WatchJobsProcessor } from '#core/ci/watch/watch-jobs.processor.js';
import { requestJob } from '../builders/runner.js';
import { untilQuiet } from '../lock-waits.js';
import { DelayedWorld } from './delayed-world.js';
import { isOver, type ModelJob, type ModelPerson } from './job-model.js';
import { changeRights, useToken } from './token-steps.js';

const CONTEXT = { signal: new AbortController().signal } as unknown as JobContext;

const COME = `update ci_jobs set scheduled_at = now() - $2::interval where id = $1`;
const OF_JOB = `name = 'ci.start_delayed' and payload ->> 'jobId' = $1::text`;
const WAKE = `update background_jobs set run_at = now() where ${OF_JOB}`;
const WOKEN = `select 1 from background_jobs where ${OF_JOB} and state <> 'failed'`;

const QUEUED = 'select 1 from ci_pending_jobs where project_id = $1 limit 1';

const MAX_PIPELINES = 4;

/** Steps of users, runners and timers with delayed jobs, and what should become of them. */
export class DelayedWalk extends DelayedWorld {
  /** One step. */
  async step(): Promise<void> {
    const alive = new Set([...this.model.jobs.values()].flatMap((job) => (isOver(job) ? [] : job.pipeline)));
    if (alive.size === 0 || (alive.size < MAX_PIPELINES && this.chance.oneIn(6))) await this.create();
    else
      await this.chance.of([
        ...[() => this.due(), () => this.due(), () => this.early(), () => this.lost()],
        ...[() => this.play(), () => this.play(), () => this.play(), () => this.retry()],
        ...[() => this.approve(), () => this.approve(), () => this.cancel(), () => this.guard()],
        ...[() => this.handOut(), () => this.handOut(), () => this.end(), () => this.end(), () => this.end()],
        ...[() => this.onPipeline(), () => this.atOnce(), () => this.atOnce(), () => changeRights(this)],
        ...[() => useToken(this), () => useToken(this), () => useToken(this)],
      ])();
    await this.settle();
  }

  private async create(): Promise<void> {
    const user = this.someone(30);
    if (!user) return changeRights(this);
    const made = await this.client(user).post<{ id: number }>(this.at('/pipeline'), { ref: 'main' });
    this.assert(`pipeline ${made.body.id} of ${user.id}`, made, 201);
    await this.takeUp(made.body.id, user.id);
  }

  /** Takes up the jobs of a pipeline that are new. */
  private async takeUp(pipeline: number, userId: number): Promise<void> {
    const { body } = await this.api.root.get<{ id: number; name: string }[]>(
      this.at(`/pipelines/${pipeline}/jobs?per_page=100`),
    );
    const fresh = body.filter(({ id }) => !this.model.jobs.has(id)).sort((a, b) => a.id - b.id);
    this.model.begin(fresh.map(({ id, name }) => this.add(id, name, pipeline, userId)));
    this.log.push(fresh.map(({ id, name }) => `${id} ${name}`).join());
  }

  /** The time of a job has come. */
  private async due(): Promise<void> {
    const job = this.one('scheduled');
    if (!job) return;
    this.log.push(`due ${job.id}`);
    await this.comes(job, '1 second');
    await this.api.sql(WAKE, [job.id]);
    job.status = this.model.started(job);
  }

  private async comes({ id }: ModelJob, ago: string): Promise<void> {
    await this.api.sql(COME, [id, ago]);
  }

  /** The timer of a job comes too early, and is set again. */
  private async early(): Promise<void> {
    const job = this.one('scheduled');
    if (!job) return;
    this.log.push(`early ${job.id}`);
    await this.api.sql(WAKE, [job.id]);
    await this.settle();
    if ((await this.api.sql(WOKEN, [job.id])).length === 0)
      throw new Error(`${job.id} is not woken again\n${this.log.join('\n')}`);
  }

  /** The timer of a job was lost with its worker. */
  private async lost(): Promise<void> {
    const job = this.one('scheduled');
    if (!job) return;
    this.log.push(`lost ${job.id}`);
    await this.api.sql(`delete from background_jobs where ${OF_JOB}`, [job.id]);
    await this.comes(job, '2 minutes');
    await this.api.app.get(WatchJobsProcessor, { strict: false }).process({}, CONTEXT);
    job.status = this.model.started(job);
  }

  private async play(): Promise<void> {
    const user = this.someone();
    const job = this.chance.oneIn(3) ? this.one() : this.one('scheduled', 'manual');
    if (!user || !job) return;
    const answer = await this.client(user).post<{ id: number }>(this.at(`/jobs/${job.id}/play`));
    const isAgain = job.isDelayed && this.model.isRetryable(job);
    const isWaiting = job.status === 'scheduled' || job.status === 'manual';
    const status = isAgain
      ? this.model.started({ ...job, isApproved: false }, user.id)
      : this.model.started(job, user.id);
    let expected = 200;
    if (user.role < 30 || job.status === 'gone') expected = refused(user, job);
    else if (!isAgain && !isWaiting) expected = 400;
    else if (status === 'failed') expected = 403;
    else if (!isAgain && status === 'manual') expected = 400;
    this.assert(`${user.id} plays ${job.id} (${job.status})`, answer, expected);
    if (expected !== 200) return;
    if (isAgain) this.again(job, answer.body.id, user.id);
    else [job.status, job.userId] = [status, user.id];
  }

  private async retry(): Promise<void> {
    const user = this.someone();
    const job = this.one('success', 'failed', 'canceled', 'gone', 'pending', 'scheduled');
    if (!user || !job) return;
    const answer = await this.client(user).post<{ id: number }>(this.at(`/jobs/${job.id}/retry`));
    let expected = 201;
    if (user.role < 30 || job.status === 'gone') expected = refused(user, job);
    else if (!this.model.isRetryable(job) || this.model.verdict(job, user.id) === 'fail') expected = 403;
    this.assert(`${user.id} retries ${job.id} (${job.status})`, answer, expected);
    if (expected === 201) this.again(job, answer.body.id, user.id);
  }

  /** A job has been replaced by a new one, which starts without a delay. */
  private again(job: ModelJob, id: number, userId: number): void {
    job.isRetried = true;
    const fresh = this.add(id, job.name, job.pipeline, userId);
    fresh.status = this.model.started(fresh);
  }

  private async cancel(): Promise<void> {
    const user = this.someone();
    const job = this.one();
    if (!user || !job) return;
    const answer = await this.client(user).post(this.at(`/jobs/${job.id}/cancel`));
    const isRefused = user.role < 30 || job.status === 'gone';
    this.assert(`${user.id} cancels ${job.id}`, answer, isRefused ? refused(user, job) : 201);
    if (!isRefused && !isOver(job)) job.status = 'canceled';
  }

  private async approve(): Promise<void> {
    const job = this.one('manual');
    if (!job || this.model.guards.get(job.environment ?? '')?.required !== 1 || job.isApproved) return;
    const { body } = await this.api.root.get<{ id: number; deployable: { id: number } | null }[]>(
      this.at('/deployments?per_page=100&sort=desc'),
    );
    const own = body.find(({ deployable }) => deployable?.id === job.id);
    if (!own) throw new Error(`${job.id} has no deployment\n${this.log.join('\n')}`);
    const status = this.chance.oneIn(5) ? 'rejected' : 'approved';
    const path = this.at(`/deployments/${own.id}/approval`);
    this.assert(`${job.id} ${status}`, await this.judge.client.post(path, { status }), 201);
    if (status === 'approved') job.isApproved = true;
    else [job.status, job.isRejected] = ['failed', true];
  }

  /** Protects an environment anew, or no longer. */
  private async guard(): Promise<void> {
    const name = this.chance.of(['prod', 'prod', 'lab']);
    const { maintainer } = this.ci.project;
    if (this.model.guards.delete(name))
      this.assert(
        `unguard ${name}`,
        await maintainer.delete(this.at(`/protected_environments/${name}`)),
        204,
      );
    if (this.chance.oneIn(4)) return;
    const guard = { least: this.chance.of([30, 40]), required: this.chance.below(2) };
    const made = await maintainer.post(this.at('/protected_environments'), {
      name,
      deploy_access_levels: [{ access_level: guard.least }],
      required_approval_count: guard.required,
    });
    this.assert(`guard ${name} ${JSON.stringify(guard)}`, made, 201);
    this.model.guards.set(name, guard);
  }

  /** A runner takes all that it gets; what may not run now waits again, and leaves its resource to the next. */
  private async handOut(): Promise<void> {
    const given = new Map<number, string>();
    do {
      const { status, body } = await requestJob(this.api, this.runner);
      if (status === 201) given.set(body.id, body.token);
      // What was refused leaves its resource to another job.
      await untilQuiet(this.api);
    } while ((await this.api.sql(QUEUED, [this.ci.project.id])).length > 0);
    this.log.push(`handed out ${[...given.keys()].join()}`);
    for (let job = this.pending(); job; job = this.pending()) {
      const verdict = this.model.verdict(job, job.userId);
      job.status = { pass: 'running', hold: 'manual', fail: 'failed' }[verdict];
      job.token = given.get(job.id) ?? null;
      if ((job.token !== null) !== (verdict === 'pass'))
        throw new Error(`${job.id} ${verdict}, given ${job.token !== null}\n${this.log.join('\n')}`);
      this.model.settle();
    }
  }

  private pending(): ModelJob | undefined {
    return [...this.model.jobs.values()].find(({ status }) => status === 'pending');
  }

  private async end(): Promise<void> {
    const job = this.one('running');
    if (!job) return;
    const state = this.chance.of(['success', 'success', 'failed']);
    const answer = await this.api.anonymous.put(`/jobs/${job.id}`, { token: job.token, state });
    this.assert(`${job.id} ends, ${state}`, answer, 200);
    job.status = state;
  }

  /** Cancels, retries or removes a whole pipeline. */
  private async onPipeline(): Promise<void> {
    const user = this.someone(30);
    const pipeline = this.one()?.pipeline;
    if (!user || pipeline === undefined) return;
    const all = [...this.model.jobs.values()].filter(
      (job) => job.pipeline === pipeline && !job.isRetried && job.status !== 'gone',
    );
    if (all.length === 0) return;
    const path = this.at(`/pipelines/${pipeline}`);
    const action = this.chance.of(['cancel', 'retry', 'retry', 'remove']);
    if (action === 'remove') {
      this.assert(`remove ${pipeline}`, await this.api.root.delete(path), 204);
      for (const job of this.model.jobs.values()) if (job.pipeline === pipeline) job.status = 'gone';
      return;
    }
    const answer = await this.client(user).post(`${path}/${action}`);
    this.assert(`${user.id} ${action} ${pipeline}`, answer, action === 'retry' ? 201 : 200);
    if (action === 'cancel') {
      for (const job of all) if (!isOver(job)) job.status = 'canceled';
      return;
    }
    const again = all.filter((job) => job.status !== 'success' && this.model.isRetryable(job));
    for (const job of again) job.isRetried = true;
    await this.takeUp(pipeline, user.id);
  }

  /** Two at once: the timer of a job and a user, or two users. */
  private async atOnce(): Promise<void> {
    const [job, user, other] = [this.one('scheduled'), this.someone(30), this.someone(30)];
    if (!job || !user || !other) return;
    const all = [job.userId, user.id, other.id];
    if (all.some((id) => this.model.verdict(job, id) !== 'pass')) return;
    const status = this.model.started(job);
    const act = (by: ModelPerson, action: string) =>
      this.client(by).post(this.at(`/jobs/${job.id}/${action}`));
    await this.comes(job, '1 second');
    const wake = (): Promise<unknown> => this.api.sql(WAKE, [job.id]);
    if (this.chance.oneIn(3)) {
      const [answer] = await Promise.all([act(user, 'cancel'), wake()]);
      this.assert(`${user.id} cancels ${job.id} in time`, answer, 201);
      job.status = 'canceled';
      return;
    }
    const answers = await Promise.all([act(user, 'play'), act(other, 'play'), wake()]);
    const played = [user, other].filter((_, index) => (answers[index] as { status: number }).status === 200);
    this.assert(`${user.id} plays ${job.id} in time`, answers[0], 200, 400);
    this.assert(`${other.id} plays ${job.id} in time`, answers[1], 200, 400);
    if (played.length > 1) throw new Error(`${job.id} is played twice\n${this.log.join('\n')}`);
    [job.status, job.userId] = [status, played[0]?.id ?? job.userId];
  }
}

const refused = ({ role }: ModelPerson, { status }: ModelJob): number => {
  if (role === 0) return 404;
  return role < 30 ? 403 : status === 'gone' ? 404 : 200;
};
