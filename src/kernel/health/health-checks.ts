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

interface Registered {
  readonly indicator: HealthIndicator;
  readonly cacheMs: number;
  readonly isOptional: boolean;
}

/** A dependency that does not respond within this time counts as down. */
const TIMEOUT_MS = 2000;
const CACHE_MS = 1000;

/**
 * Checks that readiness depends on; any module may add its own. Results are cached briefly, so that probes
 * cost little.
 */
@Injectable()
export class HealthChecks {
  private readonly registered = new Map<string, Registered>();

  constructor(private readonly terminus: HealthIndicatorService) {}

  /** Registers a dependency, replacing any of the same name. */
  register(name: string, indicator: HealthIndicator, cacheMs = CACHE_MS): void {
    this.registered.set(name, { indicator, cacheMs, isOptional: false });
  }

  /** Registers a dependency that the process can do without: it is shown, and readiness does not depend on it. */
  registerOptional(name: string, indicator: HealthIndicator): void {
    this.registered.set(name, { indicator, cacheMs: CACHE_MS, isOptional: true });
  }

  /** Checks all dependencies concurrently, for two seconds at most. */
  async run(): Promise<{ isReady: boolean; checks: Record<string, HealthResult> }> {
    const checks: Record<string, HealthResult> = {};
    await Promise.all(
      [...this.registered].map(async ([name, { indicator, cacheMs }]) => {
        const outcome = await this.terminus
          .check(name)
          .attempt(() => attempt(indicator))
          .withTimeout(TIMEOUT_MS)
          .cacheFor(cacheMs);
        checks[name] = outcome[name] as HealthResult;
      }),
    );
    const isReady = [...this.registered].every(
      ([name, { isOptional }]) => isOptional || checks[name]?.status !== 'down',
    );
    return { isReady, checks };
  }
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
