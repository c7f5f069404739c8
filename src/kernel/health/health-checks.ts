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
    this.registered.set(name, { indicator, cacheMs });
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
    return { isReady: Object.values(checks).every(({ status }) => status !== 'down'), checks };
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
