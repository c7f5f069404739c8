import { Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { redactText } from '#kernel/log/redaction.js';

/**
 * Resolves while the dependency works, optionally with an object of figures to show, and rejects otherwise.
 */
export type HealthIndicator = () => Promise<unknown>;

/** Result of checking one dependency. */
export interface HealthResult {
  readonly status: string;
  readonly [figure: string]: unknown;
}

/**
 * Which requests need a dependency: all of them; all, where one working dependency of this kind is enough;
 * some of them; none, since another one takes its place.
 */
export type Need = 'all' | 'one' | 'some' | 'none';

interface Registered {
  readonly name: string;
  readonly indicator: HealthIndicator;
  readonly need: Need;
  readonly cacheMs: number;
}

/** A dependency that does not respond within this time counts as down. */
const TIMEOUT_MS = 2000;
const CACHE_MS = 1000;

/**
 * Checks of the dependencies of the process; any module may add its own. Results are cached briefly, so that
 * probes cost little.
 */
@Injectable()
export class HealthChecks {
  private readonly registered = new Map<string, Registered>();

  constructor(private readonly terminus: HealthIndicatorService) {}

  /** Registers a dependency, replacing any of the same name. */
  register(name: string, indicator: HealthIndicator, need: Need, cacheMs = CACHE_MS): void {
    this.registered.set(name, { name, indicator, need, cacheMs });
  }

  /**
   * Whether the process can serve requests. Does not wait for dependencies that only some requests need: all
   * processes share them, and would be taken out of service together.
   */
  async isReady(): Promise<boolean> {
    const needed = this.of('all').map((one) => this.works(one));
    const alternatives = this.of('one').map((one) => this.works(one));
    const isReady = await Promise.all([...needed, anyOf(alternatives)]);
    return isReady.every(Boolean);
  }

  /** Checks all dependencies concurrently, for two seconds at most. `isComplete`: all that requests need work. */
  async run(): Promise<{ isComplete: boolean; checks: Record<string, HealthResult> }> {
    const checks: Record<string, HealthResult> = {};
    const all = [...this.registered.values()];
    await Promise.all(all.map(async (one) => (checks[one.name] = await this.check(one))));
    const isComplete = all.every(({ name, need }) => need === 'none' || checks[name]?.status !== 'down');
    return { isComplete, checks };
  }

  private of(need: Need): Registered[] {
    return [...this.registered.values()].filter((one) => one.need === need);
  }

  private async works(one: Registered): Promise<boolean> {
    return (await this.check(one)).status !== 'down';
  }

  private async check({ name, indicator, cacheMs }: Registered): Promise<HealthResult> {
    const outcome = await this.terminus
      .check(name)
      .attempt(() => attempt(indicator))
      .withTimeout(TIMEOUT_MS)
      .cacheFor(cacheMs);
    return outcome[name] as HealthResult;
  }
}

/** Whether one of the answers is yes, as soon as one is; with no answers, yes. */
async function anyOf(answers: readonly Promise<boolean>[]): Promise<boolean> {
  if (answers.length === 0) return true;
  const works = answers.map(async (answer) => {
    if (!(await answer)) throw new Error('It does not work');
  });
  return Promise.any(works).then(
    () => true,
    () => false,
  );
}

/** Hides error messages, since those of drivers may quote connection strings. */
async function attempt(indicator: HealthIndicator): Promise<Record<string, unknown>> {
  try {
    const figures = await indicator();
    return typeof figures === 'object' && figures !== null ? { ...figures } : {};
  } catch (error) {
    throw new Error(redactText(error instanceof Error ? error.message : 'failed', 200), { cause: error });
  }
}
