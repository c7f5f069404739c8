import type { DeploymentStatus } from '#core/environments/deployments/deployment-summary.record.js';
import { Chance } from './random.js';
import type { DemoProject } from './world.js';

/** A finished deployment of the generated history. */
export interface PastDeployment {
  readonly environment: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly deployer: string;
  status: DeploymentStatus;
  createdAt: Date;
  finishedAt: Date | null;
}

/** An environment of the generated history; if stopped, with the time of that. */
export interface PastEnvironment {
  readonly name: string;
  readonly createdAt: Date;
  readonly stoppedAt: Date | null;
}

/** The generated history of a project. */
export interface History {
  readonly environments: readonly PastEnvironment[];
  /** In the order in which they started. */
  readonly deployments: readonly PastDeployment[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const VERBS = ['add', 'fix', 'speed-up', 'rename', 'remove', 'rework', 'log', 'limit', 'cache', 'test'];
const NOUNS = [
  'basket',
  'login',
  'prices',
  'search',
  'mails',
  'retries',
  'timeouts',
  'metrics',
  'images',
  'forms',
];

type Target = Pick<PastDeployment, 'environment' | 'ref' | 'tag' | 'sha'>;

/**
 * Simulates the history of a project day by day: quiet weeks and weekends, failures and their consequences.
 */
class Past {
  readonly deployments: PastDeployment[] = [];
  readonly stops = new Map<string, number>();
  private readonly chance: Chance;
  private readonly freeAt = new Map<string, number>();
  private issue = 100;
  private release = 0;
  private commits = 0;
  private lastGood: string | null = null;

  constructor(
    private readonly project: DemoProject,
    private readonly deployers: readonly string[],
    private readonly now: number,
  ) {
    this.chance = new Chance(`${project.group}/${project.path}`);
  }

  live(from: number): void {
    let quietUntil = 0;
    for (let day = Math.floor(from / DAY) * DAY; day <= this.now; day += DAY) {
      if (this.chance.happens(1 / 60)) quietUntil = day + this.chance.whole(3, 10) * DAY;
      const weekday = new Date(day).getUTCDay();
      const pace =
        this.project.pace * (weekday === 0 || weekday === 6 ? 0.05 : 1) * (day < quietUntil ? 0 : 1);
      const changes = Math.floor(pace * this.chance.skewed(0.2, 2.6) + this.chance.next());
      if (pace === 0) continue;
      for (let index = 0; index < changes; index += 1) this.change(day + this.workingTime());
    }
    if (this.project.pace >= 1) this.startNow();
  }

  /** A change: branch, review, merge, staging and, if all goes well, production. */
  private change(begun: number): void {
    const deployer = this.chance.pick(this.deployers);
    this.issue += this.chance.whole(1, 4);
    const branch = `${this.issue}-${this.chance.pick(VERBS)}-${this.chance.pick(NOUNS)}`;
    const merged =
      this.project.reviewed && this.chance.happens(0.7) ? this.review(branch, begun, deployer) : begun;
    if (merged > this.now) return;
    const sha = this.commit();
    const staged = this.deploy(
      { environment: 'staging', ref: 'main', tag: false, sha },
      merged,
      deployer,
      0.09,
    );
    if (staged === null || (this.project.tagged && !this.chance.happens(0.45))) return;
    this.ship(sha, staged + this.chance.skewed(10 * MINUTE, 6 * HOUR));
  }

  /** Returns when the branch was merged, which is when its environment stops. */
  private review(branch: string, begun: number, deployer: string): number {
    const environment = `review/${branch}`;
    let time = begun;
    for (let round = this.chance.whole(1, 3); round > 0; round -= 1) {
      const target = { environment, ref: branch, tag: false, sha: this.commit() };
      time =
        (this.deploy(target, time, deployer, 0.14, 1) ?? time) + this.chance.skewed(20 * MINUTE, 9 * HOUR);
    }
    this.stops.set(environment, time + this.chance.whole(1, 4) * MINUTE);
    return time;
  }

  /** Deploys to production; a failure is fixed, or rolled back to the previous version. */
  private ship(sha: string, time: number): void {
    const deployer = this.chance.pick(this.deployers);
    if (this.project.tagged) this.release += 1;
    const ref = this.project.tagged ? `v1.${Math.floor(this.release / 5)}.${this.release % 5}` : 'main';
    const target = { environment: 'production', ref, tag: this.project.tagged, sha };
    const before = this.lastGood;
    const done = this.deploy(target, time, deployer, 0.05, 2);
    if (done !== null && !this.chance.happens(0.03)) this.lastGood = sha;
    else if (before !== null && before !== sha)
      this.deploy(
        { ...target, sha: before },
        (done ?? time) + this.chance.skewed(5, 50) * MINUTE,
        deployer,
        0,
      );
  }

  /** Deploys, retrying after a failure; returns when it succeeded, or null if it was abandoned. */
  private deploy(target: Target, from: number, deployer: string, risk: number, attempts = 3): number | null {
    let time = from;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const start = Math.max(time, (this.freeAt.get(target.environment) ?? 0) + MINUTE / 2);
      const end = start + this.chance.skewed(0.7 * MINUTE, 14 * MINUTE);
      const status = this.chance.happens(risk)
        ? this.chance.happens(0.2)
          ? 'canceled'
          : 'failed'
        : 'success';
      const sha = attempt === 1 ? target.sha : this.commit();
      this.add({ ...target, sha, deployer }, status, start, end);
      if (status === 'success') return end;
      time = end + this.chance.skewed(8 * MINUTE, 80 * MINUTE);
    }
    return null;
  }

  private add(
    what: Target & { deployer: string },
    status: DeploymentStatus,
    start: number,
    end: number,
  ): void {
    this.freeAt.set(what.environment, end);
    if (start > this.now) return;
    const isOver = end <= this.now;
    this.deployments.push({
      ...what,
      status: isOver ? status : 'running',
      createdAt: new Date(start),
      finishedAt: isOver ? new Date(end) : null,
    });
  }

  /** Starts a deployment that is still running now. */
  private startNow(): void {
    const start = this.now - this.chance.whole(1, 4) * MINUTE;
    if ((this.freeAt.get('staging') ?? 0) >= start) return;
    const target = { environment: 'staging', ref: 'main', tag: false, sha: this.commit() };
    this.add(
      { ...target, deployer: this.chance.pick(this.deployers) },
      'success',
      start,
      this.now + 5 * MINUTE,
    );
  }

  private commit(): string {
    this.commits += 1;
    return this.chance.sha(String(this.commits));
  }

  private workingTime(): number {
    return 7 * HOUR + this.chance.next() * 10 * HOUR;
  }
}

/** Generates the history of a project between two times; the same project and times give the same history. */
export function historyOf(
  project: DemoProject,
  deployers: readonly string[],
  from: Date,
  now: Date,
): History {
  const past = new Past(project, deployers, now.getTime());
  past.live(from.getTime());
  const deployments = past.deployments
    .filter(({ createdAt }) => createdAt >= from)
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  const first = new Map<string, Date>();
  for (const { environment, createdAt } of deployments)
    if (!first.has(environment)) first.set(environment, createdAt);
  const environments = [...first].map(([name, createdAt]) => {
    const stop = past.stops.get(name);
    return {
      name,
      createdAt,
      stoppedAt: stop !== undefined && stop <= now.getTime() ? new Date(stop) : null,
    };
  });
  return { environments, deployments };
}
