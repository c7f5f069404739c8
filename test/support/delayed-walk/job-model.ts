/** A user as the model knows them. */
export interface ModelPerson {
  readonly id: number;
  /** Role in the project of the jobs; 0: none. */
  role: number;
  /** Role in the other project; 0: none. */
  roleElsewhere: number;
  isBlocked: boolean;
}

/** What a job of the configuration has. */
export interface JobKind {
  readonly isDelayed: boolean;
  readonly environment: string | null;
  readonly group: string | null;
}

/** A job as it should be. */
export interface ModelJob extends JobKind {
  readonly id: number;
  readonly name: string;
  readonly pipeline: number;
  status: string;
  userId: number;
  /** Another job has replaced it. */
  isRetried: boolean;
  isRejected: boolean;
  isApproved: boolean;
  /** Given to a runner at some time. */
  token: string | null;
}

/** Who deploys, and how many must approve. */
export interface ModelGuard {
  readonly least: number;
  readonly required: number;
}

const HOLDING = ['pending', 'running'];
const DONE = ['success', 'failed', 'canceled', 'gone'];

/** Whether nothing more happens by itself. */
export const isOver = ({ status }: ModelJob): boolean => DONE.includes(status);

/** The rules of delayed jobs, resource groups and protected environments in plain words. */
export class JobModel {
  readonly people = new Map<number, ModelPerson>();
  readonly jobs = new Map<number, ModelJob>();
  readonly guards = new Map<string, ModelGuard>();
  /** Whether only listed projects have access to the other project, and this one is listed. */
  isListKept = true;
  isListed = false;

  /** Whether a job of the user may run: `fail`, `hold` for approvals, or `pass`. */
  verdict({ environment, isApproved }: ModelJob, userId: number): 'fail' | 'hold' | 'pass' {
    const guard = environment === null ? undefined : this.guards.get(environment);
    if (!guard) return 'pass';
    const { role = 0, isBlocked = true } = this.people.get(userId) ?? {};
    if (isBlocked || role < guard.least) return 'fail';
    return guard.required > (isApproved ? 1 : 0) ? 'hold' : 'pass';
  }

  /** The status that a job gets when it starts for its user. */
  started(job: ModelJob, userId = job.userId): string {
    const verdict = this.verdict(job, userId);
    if (verdict !== 'pass') return verdict === 'fail' ? 'failed' : 'manual';
    const isTaken = [...this.jobs.values()].some(
      (other) => other !== job && other.group === job.group && HOLDING.includes(other.status),
    );
    return job.group !== null && isTaken ? 'waiting_for_resource' : 'pending';
  }

  /** The status of a new job that its pipeline begins: a delay comes after what a user has to do. */
  begun(job: ModelJob): string {
    if (!job.isDelayed) return this.started(job);
    return { fail: 'failed', hold: 'manual', pass: 'scheduled' }[this.verdict(job, job.userId)];
  }

  /** Begins new jobs of a pipeline: first those with a delay. */
  begin(jobs: readonly ModelJob[]): void {
    const inTurn = [
      ...jobs.filter(({ isDelayed }) => isDelayed),
      ...jobs.filter(({ isDelayed }) => !isDelayed),
    ];
    for (const job of inTurn) job.status = this.begun(job);
    this.settle();
  }

  /** Free resources go to the job that has waited longest. */
  settle(): void {
    for (;;) {
      const waiting = [...this.jobs.values()]
        .filter(({ status }) => status === 'waiting_for_resource')
        .sort((a, b) => a.id - b.id);
      const next = waiting.find((job) => this.started(job) !== 'waiting_for_resource' && this.isFirst(job));
      if (!next) return;
      next.status = this.started(next);
    }
  }

  /** Whether nobody holds the resource of a job, for which it has waited longest. */
  private isFirst(job: ModelJob): boolean {
    return [...this.jobs.values()].every(
      (other) =>
        other.group !== job.group ||
        (!HOLDING.includes(other.status) && (other.status !== 'waiting_for_resource' || other.id >= job.id)),
    );
  }

  /** Jobs of blocked users that run, or wait for a runner. */
  ofBlocked(): ModelJob[] {
    return [...this.jobs.values()].filter(
      ({ status, userId }) => HOLDING.includes(status) && this.people.get(userId)?.isBlocked,
    );
  }

  /** Whether a user may run a finished job again. */
  isRetryable(job: ModelJob): boolean {
    return isOver(job) && job.status !== 'gone' && !job.isRetried && !job.isRejected;
  }
}
